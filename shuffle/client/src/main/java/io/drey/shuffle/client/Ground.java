package io.drey.shuffle.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Gives clients their threads, sockets, names and chance: the system's, or those of a simulation. */
interface Ground {
    Ground SYSTEM = new Ground() {
        @Override
        public EventLoopGroup group(String name) {
            EventLoopGroup group =
                    new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
            // Its thread starts now: with the first task of a job it would inherit that job's class loader for ever.
            group.next().execute(() -> {});
            return group;
        }

        @Override
        public ChannelFactory<Channel> channels() {
            return NioSocketChannel::new;
        }

        @Override
        public InetAddress lookUp(String host) throws UnknownHostException {
            return InetAddress.getByName(host);
        }

        @Override
        public long wallClockMs() {
            return System.currentTimeMillis();
        }

        @Override
        public RandomGenerator random() {
            return new SplittableRandom();
        }
    };

    /** A group of one event loop, whose ticker is the clock of all that is in it. */
    EventLoopGroup group(String name);

    ChannelFactory<Channel> channels();

    /** The address of a host; may wait, unless the host is given by its address. */
    InetAddress lookUp(String host) throws UnknownHostException;

    /** Since 1970; a later job manager has a later one. */
    long wallClockMs();

    RandomGenerator random();
}
