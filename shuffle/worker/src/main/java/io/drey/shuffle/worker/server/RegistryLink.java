package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.request.RequestConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells one registry how the worker is. A connection that is lost is made anew with the next heartbeat. */
public final class RegistryLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryLink.class);

    private final String address;
    private final Executor dialing;
    private final Supplier<CompletableFuture<RequestConnection>> dial;
    private final Supplier<WorkerReport> report;
    private RequestConnection connection;
    private boolean connecting;
    private boolean reached = true;
    private boolean closed;

    /** Dials in that thread, which may wait for name servers: the one that calls {@link #beat} does not. */
    public RegistryLink(
            String address,
            Executor dialing,
            Supplier<CompletableFuture<RequestConnection>> dial,
            Supplier<WorkerReport> report) {
        this.address = address;
        this.dialing = dialing;
        this.dial = dial;
        this.report = report;
    }

    /** Sends a heartbeat, or connects first and sends it with the next one. */
    public synchronized void beat() {
        if (connection != null) {
            RequestConnection now = connection;
            now.request(FrameType.HEARTBEAT, report.get()).whenComplete((answer, failure) -> answered(now, failure));
        } else if (!connecting && !closed) {
            connecting = true;
            dialing.execute(this::dial);
        }
    }

    private void dial() {
        CompletableFuture<RequestConnection> made;
        try {
            made = dial.get();
        } catch (RuntimeException | Error e) {
            // Such as a thread that could not be started: without an end of this try there would be no other.
            made = CompletableFuture.failedFuture(e);
        }
        made.whenComplete(this::connected);
    }

    private synchronized void connected(RequestConnection made, Throwable failure) {
        connecting = false;
        if (failure != null) {
            if (reached) {
                LOG.warn("Registry {} is not reached, and tried again: {}", address, failure.getMessage());
            }
            reached = false;
        } else if (closed) {
            made.close();
        } else {
            connection = made;
            reached = true;
            LOG.info("Registry {} is reached.", address);
            beat();
        }
    }

    private synchronized void answered(RequestConnection asked, Throwable failure) {
        if (failure != null && connection == asked) {
            LOG.warn("Registry {} does not answer: {}", address, failure.getMessage());
            connection.close();
            connection = null;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (connection != null) {
            connection.close();
        }
    }
}
