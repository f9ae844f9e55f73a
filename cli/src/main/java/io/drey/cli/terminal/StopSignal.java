package io.drey.cli.terminal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C: the virtual machine begins to shut down, tells the run to stop, and waits for it to do so in order, within
 * limits.
 */
public final class StopSignal implements AutoCloseable {
    private static final long STOP_SECONDS_MAX = 40;

    private final CompletableFuture<Void> requested = new CompletableFuture<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread hook = new Thread(this::requestAndWait, "drey-stop");

    public StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void requestAndWait() {
        requested.complete(null);
        try {
            if (!stopped.await(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                System.err.println("drey: the command did not stop within " + STOP_SECONDS_MAX + " s.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Completes when the user wants the command to stop. */
    public CompletableFuture<Void> requested() {
        return requested;
    }

    /** The run is over and reported, stopped or not. */
    @Override
    public void close() {
        stopped.countDown();
        if (!requested.isDone()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The shutdown began in this very moment; the hook finds the run stopped.
                return;
            }
        }
    }
}
