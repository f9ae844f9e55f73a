package io.drey.shuffle.client;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A stream of one question and one answer, with a limit of time. */
final class Request implements Connection.User {
    /** Takes the answer, whose body is valid during the call, or else why there is none. */
    interface Asker {
        void answered(Answer answer, Throwable cause);
    }

    /** The answer. */
    record Answer(FrameType type, ByteBuf body) {
        /** What the worker says instead. */
        Fault fault() {
            return type == FrameType.FAILED
                    ? Fault.read(new FieldReader("FAILED", body))
                    : new Fault(Fault.Reason.OTHER, "unexpected answer " + type);
        }

        IOException unexpected() {
            return new IOException(fault().toString());
        }
    }

    static final long TIMEOUT_MS = 30_000;

    private final Connection connection;
    private final FrameType type;
    private final Body question;
    private final Asker asker;
    private final int stream;
    private final Future<?> timeout;
    private boolean isDone;

    Request(Connection connection, FrameType type, Body question, Asker asker) {
        this(connection, type, question, TIMEOUT_MS, asker);
    }

    Request(Connection connection, FrameType type, Body question, long timeoutMs, Asker asker) {
        this.connection = connection;
        this.type = type;
        this.question = question;
        this.asker = asker;
        stream = connection.attach(this);
        timeout = connection.schedule(() -> timedOut(timeoutMs), timeoutMs, TimeUnit.MILLISECONDS);
        if (connection.isOpen()) {
            opened();
        }
    }

    @Override
    public void opened() {
        connection.send(type, stream, 0, 0, question);
    }

    @Override
    public void control(FrameHeader header, ByteBuf body) {
        end(new Answer(header.type(), body), null);
    }

    @Override
    public void disconnected(Throwable cause) {
        end(null, cause);
    }

    private void timedOut(long timeoutMs) {
        end(null, new IOException("no answer to " + type + " in " + timeoutMs + " ms from " + connection));
    }

    private void end(Answer answer, Throwable cause) {
        if (!isDone) {
            isDone = true;
            timeout.cancel(false);
            connection.detach(stream);
            asker.answered(answer, cause);
        }
    }
}
