package io.drey.shuffle.client;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Writing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** One attempt to tell all holders of a partition its manifest. Belongs to the lane's event loop. */
final class CommitRound {
    /**
     * The result.
     *
     * @param committed how many holders have it
     * @param untold holders that could not be reached
     * @param denial a holder that will never have it: the partition is not what the writer believes; or null
     * @param lastCause why a holder could not be told, or null
     */
    record Outcome(int committed, List<Candidate> untold, IOException denial, Throwable lastCause) {}

    private final Lane lane;
    private final List<Candidate> holders;
    private final Writing.Commit message;
    private final Map<UUID, UUID> incarnations;
    private final Consumer<Outcome> then;
    private int waiting;
    private int committed;
    private final List<Candidate> untold = new ArrayList<>();
    private IOException denial;
    private Throwable lastCause;

    /** @param incarnations of the storage that took the regions, per worker */
    CommitRound(
            Lane lane,
            List<Candidate> holders,
            Writing.Commit message,
            Map<UUID, UUID> incarnations,
            Consumer<Outcome> then) {
        this.lane = lane;
        this.holders = holders;
        this.message = message;
        this.incarnations = incarnations;
        this.then = then;
    }

    void start() {
        waiting = holders.size();
        for (Candidate holder : holders) {
            Connection connection = lane.connection(holder);
            new Request(connection, FrameType.COMMIT, message, (answer, cause) -> {
                UUID expected = incarnations.get(holder.worker());
                if (answer == null) {
                    lastCause = cause;
                    untold.add(holder);
                } else if (expected != null && !expected.equals(connection.incarnation())) {
                    denial = new IOException("worker " + holder + " lost its storage with regions of " + message.key());
                } else if (answer.type() == FrameType.DONE) {
                    committed++;
                } else {
                    refused(holder, answer.fault());
                }
                if (--waiting == 0) {
                    then.accept(new Outcome(committed, untold, denial, lastCause));
                }
            });
        }
    }

    private void refused(Candidate holder, Fault fault) {
        IOException refusal = new IOException("worker " + holder + " does not commit " + message.key() + ": " + fault);
        switch (fault.reason()) {
            case BUSY, FULL, DRAINING, FAILING, OTHER -> {
                lastCause = refusal;
                untold.add(holder);
            }
            default -> denial = refusal;
        }
    }
}
