package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/** Answers requests: each one under the number that it came with. */
final class Requests {
    private final WorkerState state;

    Requests(WorkerState state) {
        this.state = state;
    }

    void handle(WorkerConnection connection, FrameHeader header, ByteBuf body) {
        FieldReader in = new FieldReader(header.type().name(), body);
        int number = header.stream();
        switch (header.type()) {
            case COMMIT -> state.catalog().commit(Commit.read(in), done(connection, number));
            case RENEW ->
                state.catalog()
                        .renew(
                                Renew.read(in),
                                lease -> connection.execute(() -> connection.send(FrameType.LEASE, number, lease)),
                                done(connection, number));
            case RELEASE -> state.catalog().release(Release.read(in), done(connection, number));
            default -> throw new ProtocolException("expected a request to a worker, found " + header);
        }
    }

    private static Consumer<Fault> done(WorkerConnection connection, int number) {
        return fault -> connection.execute(() -> {
            if (fault == null) {
                connection.send(FrameType.DONE, 0, number, 0, 0);
            } else {
                connection.send(FrameType.FAILED, number, fault);
            }
        });
    }
}
