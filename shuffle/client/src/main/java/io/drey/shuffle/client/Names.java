package io.drey.shuffle.client;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Looks names up outside of a lane's loop, which must not wait for name servers. Its threads end when they are idle. */
final class Names extends AddressResolverGroup<InetSocketAddress> {
    private static final int LOOK_UPS_MAX = 16;
    private static final long IDLE_MS = 10_000;

    private final Ground ground;
    private final ThreadPoolExecutor threads;

    Names(String name, Ground ground) {
        this.ground = ground;
        DefaultThreadFactory made = new DefaultThreadFactory(name, true);
        // None waits for another one: what is too much fails, and is dialed again later.
        threads =
                new ThreadPoolExecutor(0, LOOK_UPS_MAX, IDLE_MS, TimeUnit.MILLISECONDS, new SynchronousQueue<>(), made);
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
        return new DefaultNameResolver(loop) {
            @Override
            protected void doResolve(String host, Promise<InetAddress> promise) {
                if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
                    find(host, promise);
                } else {
                    threads.execute(() -> find(host, promise));
                }
            }
        }.asAddressResolver();
    }

    private void find(String host, Promise<InetAddress> promise) {
        try {
            promise.setSuccess(ground.lookUp(host));
        } catch (IOException | RuntimeException | Error e) {
            promise.setFailure(e);
        }
    }
}
