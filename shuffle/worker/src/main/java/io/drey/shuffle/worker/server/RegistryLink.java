package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.request.RequestConnection;
import io.netty.channel.EventLoopGroup;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells one registry how the worker is. A connection that is lost is made anew with the next heartbeat. */
public final class RegistryLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryLink.class);

    private final EventLoopGroup group;
    private final String host;
    private final int port;
    private final Handshake handshake;
    private final Supplier<WorkerReport> report;
    private RequestConnection connection;
    private boolean connecting;
    private boolean reached = true;
    private boolean closed;

    RegistryLink(EventLoopGroup group, String host, int port, Handshake handshake, Supplier<WorkerReport> report) {
        this.group = group;
        this.host = host;
        this.port = port;
        this.handshake = handshake;
        this.report = report;
    }

    /** Sends a heartbeat, or connects first and sends it with the next one. */
    public synchronized void beat() {
        if (connection != null) {
            RequestConnection now = connection;
            now.request(FrameType.HEARTBEAT, report.get()).whenComplete((answer, failure) -> answered(now, failure));
        } else if (!connecting && !closed) {
            connecting = true;
            RequestConnection.connect(group, host, port, handshake, "worker").whenComplete(this::connected);
        }
    }

    private synchronized void connected(RequestConnection made, Throwable failure) {
        connecting = false;
        if (failure != null) {
            if (reached) {
                LOG.warn("Registry {}:{} is not reached, and tried again: {}", host, port, failure.getMessage());
            }
            reached = false;
        } else if (closed) {
            made.close();
        } else {
            connection = made;
            reached = true;
            LOG.info("Registry {}:{} is reached.", host, port);
            beat();
        }
    }

    private synchronized void answered(RequestConnection asked, Throwable failure) {
        if (failure != null && connection == asked) {
            LOG.warn("Registry {}:{} does not answer: {}", host, port, failure.getMessage());
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
