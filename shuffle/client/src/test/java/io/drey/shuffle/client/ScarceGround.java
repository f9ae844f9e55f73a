package io.drey.shuffle.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import java.util.random.RandomGenerator;

/** The system's ground, which has no files left when a test says so. */
final class ScarceGround implements Ground {
    volatile boolean hasFiles = true;

    @Override
    public EventLoopGroup group(String name) {
        return SYSTEM.group(name);
    }

    @Override
    public ChannelFactory<Channel> channels() {
        return () -> {
            if (!hasFiles) {
                throw new ChannelException("too many open files");
            }
            return SYSTEM.channels().newChannel();
        };
    }

    @Override
    public long wallClockMs() {
        return SYSTEM.wallClockMs();
    }

    @Override
    public RandomGenerator random() {
        return SYSTEM.random();
    }
}
