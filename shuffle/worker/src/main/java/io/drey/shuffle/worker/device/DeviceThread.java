package io.drey.shuffle.worker.device;

import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread for one loop, which sleeps while there is no work. */
public final class DeviceThread implements DeviceDriver {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceThread.class);

    private final String name;
    private volatile Thread thread;

    public DeviceThread(String name) {
        this.name = name;
    }

    @Override
    public void start(DeviceLoop loop) {
        Thread started = new Thread(() -> run(loop), name);
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
    public void awaitEnd() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
