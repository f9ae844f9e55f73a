package io.drey.shuffle.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A thread of a process in the {@link World}: its tasks run when the world says so, until the process is killed. */
final class SimulatedLoop extends AbstractScheduledEventExecutor implements EventLoop {
    private final World world;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean isDead;
    private boolean isWoken;
    private long timerAt = Long.MAX_VALUE;
    private long pausedUntil;

    SimulatedLoop(World world) {
        this.world = world;
    }

    /** The process is no more. */
    void kill() {
        isDead = true;
        tasks.clear();
    }

    /** The process stands still for so long; what comes waits. */
    void pause(long nanos) {
        pausedUntil = world.now() + nanos;
        world.after(nanos, this::turn);
    }

    boolean isDead() {
        return isDead;
    }

    @Override
    public Ticker ticker() {
        return world;
    }

    @Override
    public void execute(Runnable task) {
        if (isDead) {
            throw new RejectedExecutionException("the process is no more");
        }
        tasks.add(task);
        if (!isWoken) {
            isWoken = true;
            world.after(world.jitter(), this::woken);
        }
    }

    private void woken() {
        isWoken = false;
        turn();
    }

    private void timer(long at) {
        if (at == timerAt) {
            timerAt = Long.MAX_VALUE;
        }
        turn();
    }

    private void turn() {
        if (isDead || world.now() < pausedUntil) {
            return;
        }
        world.running(this);
        try {
            for (Runnable due = pollScheduledTask(world.now()); due != null; due = pollScheduledTask(world.now())) {
                due.run();
            }
            for (int left = tasks.size(); left > 0 && !isDead; left--) {
                tasks.poll().run();
            }
        } catch (RuntimeException | Error e) {
            world.fail(e);
        } finally {
            world.running(null);
        }
        if (!tasks.isEmpty() && !isWoken) {
            isWoken = true;
            world.after(world.jitter(), this::woken);
        }
        long next = nextScheduledTaskDeadlineNanos();
        if (next >= 0 && next < timerAt && !isDead) {
            timerAt = next;
            world.after(Math.max(0, next - world.now()), () -> timer(next));
        }
    }

    @Override
    public boolean inEventLoop(Thread thread) {
        return world.running() == this;
    }

    @Override
    public EventLoopGroup parent() {
        return this;
    }

    @Override
    public EventLoop next() {
        return this;
    }

    @Override
    public ChannelFuture register(Channel channel) {
        return register(new DefaultChannelPromise(channel, this));
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        promise.channel().unsafe().register(this, promise);
        return promise;
    }

    @Override
    @Deprecated
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        channel.unsafe().register(this, promise);
        return promise;
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        return terminationFuture();
    }

    @Override
    public Future<?> terminationFuture() {
        return newSucceededFuture(null);
    }

    @Override
    @Deprecated
    public void shutdown() {
        kill();
    }

    @Override
    public boolean isShuttingDown() {
        return isDead;
    }

    @Override
    public boolean isShutdown() {
        return isDead;
    }

    @Override
    public boolean isTerminated() {
        return isDead;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
