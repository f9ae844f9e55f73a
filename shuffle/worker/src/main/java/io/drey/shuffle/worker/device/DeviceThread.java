package io.drey.shuffle.worker.device;

import java.util.concurrent.locks.LockSupport;

/** A thread for one loop, which sleeps while there is no work. */
public final class DeviceThread implements DeviceDriver {
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
            if (!loop.turn()) {
                if (loop.isClosing()) {
                    going = false;
                } else {
                    LockSupport.park(loop);
                }
            }
        }
        loop.closeFiles();
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
