package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fault.Reason;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.Membership.Exclude;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Operating.Inspect;
import io.drey.shuffle.protocol.message.Operating.Lines;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Answers requests: each one under the number that it came with. */
final class Requests {
    /** How long an order to exclude waits for a directory: less than an operator for the answer. */
    private static final int EXCLUDE_SECONDS = 10;

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
            case HEARTBEAT -> {
                boolean excluded = state.registry().heard(WorkerReport.read(in));
                connection.send(FrameType.HEARD, excluded ? FrameType.EXCLUDED : 0, number, 0, 0);
            }
            case LIST ->
                connection.send(FrameType.WORKERS, number, state.registry().list(ListWorkers.read(in)));
            case EXCLUDE -> exclude(connection, number, Exclude.read(in));
            case STATUS -> connection.send(FrameType.STATUS_IS, number, state.report());
            case DRAIN -> {
                state.drainRequested().complete(null);
                connection.send(FrameType.DONE, 0, number, 0, 0);
            }
            case INSPECT -> state.catalog().inspect(Inspect.read(in).job(), lines -> answer(connection, number, lines));
            case AUDIT -> state.catalog().audit(lines -> answer(connection, number, lines));
            default -> throw new ProtocolException("expected a request to a worker, found " + header);
        }
    }

    private static void answer(WorkerConnection connection, int number, List<String> lines) {
        connection.execute(() -> connection.send(FrameType.LINES, number, new Lines(lines)));
    }

    private void exclude(WorkerConnection connection, int number, Exclude request) {
        CompletableFuture<Void> kept = state.registry().exclude(request);
        Future<?> limit = connection
                .channel()
                .eventLoop()
                .schedule(
                        () -> kept.completeExceptionally(
                                new IOException("no directory has taken it within " + EXCLUDE_SECONDS + " s")),
                        EXCLUDE_SECONDS,
                        TimeUnit.SECONDS);
        kept.whenComplete((none, failure) -> {
            limit.cancel(false);
            String sentence = "this counts until the registry's worker ends, and could not be written: ";
            done(connection, number)
                    .accept(failure == null ? null : new Fault(Reason.OTHER, sentence + failure.getMessage()));
        });
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
