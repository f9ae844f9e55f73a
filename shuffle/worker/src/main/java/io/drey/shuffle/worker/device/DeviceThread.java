package io.drey.shuffle.worker.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread for one loop, which sleeps while there is no work. */
public final class DeviceThread implements DeviceDriver {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceThread.class);

    private static final int LOOK_MS = 100;

    private final String name;
    private final long patienceMs;
    private DeviceLoop loop;
    private volatile Thread thread;

    /** @param patienceMs how long its end is waited for while nothing goes on */
    public DeviceThread(String name, long patienceMs) {
        this.name = name;
        this.patienceMs = patienceMs;
    }

    @Override
    public void start(DeviceLoop driven) {
        loop = driven;
        Thread started = new Thread(() -> run(driven), name);
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private static void run(DeviceLoop loop) {
        boolean going = true;
        while (going) {
            if (!turn(loop)) {
                if (loop.isClosing()) {
                    going = false;
                } else {
                    LockSupport.park(loop);
                }
            }
        }
        loop.closeFiles();
    }

    /** Whatever fails, the directory's other readers and writers go on. */
    private static boolean turn(DeviceLoop loop) {
        try {
            return loop.turn();
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "A turn of {} failed; the loop goes on.",
                    Thread.currentThread().getName(),
                    e);
            return true;
        }
    }

    @Override
    public void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public boolean awaitEnd() {
        boolean interrupted = false;
        long steps = loop.steps();
        long since = System.nanoTime();
        while (thread.isAlive() && System.nanoTime() - since < TimeUnit.MILLISECONDS.toNanos(patienceMs)) {
            try {
                thread.join(LOOK_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (steps != loop.steps()) {
                steps = loop.steps();
                since = System.nanoTime();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
