package io.drey.bench.disk;

import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Holds a device to its ration: several times a second it reads what the device did, keeps the account and moves the
 * kernel's limits. It starts with all credits.
 *
 * <p>A thread of its own does the steps; the lock of this object orders them with the calls from outside. A step that
 * fails is the last one, and {@link #stop} tells.
 */
final class Rationing {
    private static final long TICK_MS = 200;

    /** A change of a limit begins a new slice in the kernel, which forgives a little; smaller ones are left out. */
    private static final double CHANGE_MIN = 0.05;

    private final LoopDevice device;
    private final Throttle throttle;
    private final TokenBucket ios;
    private final FairSplit ioSplit = new FairSplit();
    private final TokenBucket bytes;
    private final FairSplit byteSplit = new FairSplit();
    private final long[] limits = new long[Throttle.Kind.values().length];
    private long lastNanos;
    private ProcessSample.Io last;
    private Exception failure;
    private boolean stopped;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ration");
        thread.setDaemon(true);
        return thread;
    });

    Rationing(LoopDevice device, Throttle throttle, Comparison.Disk ration) {
        this.device = device;
        this.throttle = throttle;
        this.ios = iosOf(ration);
        this.bytes = bytesOf(ration);
    }

    private static TokenBucket iosOf(Comparison.Disk ration) {
        return new TokenBucket(ration.iops(), ration.burstIops(), ration.burstCredits());
    }

    /** Bandwidth has no burst: what is not used is gone. Null if it is not limited. */
    private static TokenBucket bytesOf(Comparison.Disk ration) {
        return ration.bandwidth() == 0 ? null : new TokenBucket(ration.bandwidth(), ration.bandwidth(), 0);
    }

    /** Throws if there is no such ration: buckets check what they are made of. */
    static void check(Comparison.Disk ration) {
        iosOf(ration);
        bytesOf(ration);
    }

    /** Sets the first limits and goes on from there. */
    synchronized void start() throws IOException {
        last = device.counts();
        lastNanos = System.nanoTime();
        cut();
        executor.scheduleAtFixedRate(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void tick() {
        if (stopped) {
            return;
        }
        try {
            step(System.nanoTime());
        } catch (IOException | RuntimeException e) {
            failure = e;
            throw new IllegalStateException("the ration is not kept any more", e);
        }
    }

    private void step(long nanos) throws IOException {
        ProcessSample.Io now = device.counts();
        ProcessSample.Io done = now.since(last);
        double seconds = (nanos - lastNanos) / 1e9;
        last = now;
        lastNanos = nanos;
        ios.step(seconds, done.readIos() + done.writeIos());
        ioSplit.step(done.readIos() / seconds, done.writeIos() / seconds, ios.allowed());
        if (bytes != null) {
            bytes.step(seconds, done.readBytes() + done.writeBytes());
            byteSplit.step(done.readBytes() / seconds, done.writeBytes() / seconds, bytes.allowed());
        }
        applyLimits();
    }

    private void applyLimits() throws IOException {
        apply(Throttle.Kind.READ_IOPS, ioSplit.readLimit());
        apply(Throttle.Kind.WRITE_IOPS, ioSplit.writeLimit());
        if (bytes != null) {
            apply(Throttle.Kind.READ_BPS, byteSplit.readLimit());
            apply(Throttle.Kind.WRITE_BPS, byteSplit.writeLimit());
        }
    }

    private void apply(Throttle.Kind kind, long limit) throws IOException {
        long set = limits[kind.ordinal()];
        if (Math.abs(limit - set) > CHANGE_MIN * set) {
            throttle.set(kind, limit);
            limits[kind.ordinal()] = limit;
        }
    }

    private void cut() throws IOException {
        ioSplit.cut(ios.allowed());
        if (bytes != null) {
            byteSplit.cut(bytes.allowed());
        }
        applyLimits();
    }

    /** I/Os that may be done beyond the lasting rate. */
    synchronized double credits() {
        return ios.credits();
    }

    /** Ends the rationing and takes the limits away; throws if it had ended before by itself. */
    synchronized void stop() throws IOException {
        stopped = true;
        executor.shutdown();
        throttle.clear();
        if (failure != null) {
            throw new IOException(
                    "the ration of " + device.name() + " was not kept to the end: " + failure.getMessage(), failure);
        }
    }
}
