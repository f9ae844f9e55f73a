package io.drey.shuffle.client;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The door of a task manager: writes partitions and reads them. Writers and readers have event loops of their own. */
public final class ShuffleClient implements AutoCloseable {
    private record Side(Lane lane, WorkerDirectory directory) {
        Side(Lane lane) {
            this(lane, new WorkerDirectory(lane));
        }
    }

    private final List<Side> writing = new ArrayList<>();
    private final List<Side> reading = new ArrayList<>();
    private final Counts counts = new Counts();

    private ShuffleClient(ClientOptions options, Ground ground) {
        for (int i = 0; i < options.threads(); i++) {
            writing.add(new Side(new Lane("write-" + i, options, ground)));
            reading.add(new Side(new Lane("read-" + i, options, ground)));
        }
    }

    public static ShuffleClient open(ClientOptions options) {
        return open(options, Ground.SYSTEM);
    }

    static ShuffleClient open(ClientOptions options, Ground ground) {
        return new ShuffleClient(options, ground);
    }

    private static Side of(List<Side> sides, int hash) {
        return sides.get(Math.floorMod(hash, sides.size()));
    }

    /**
     * Begins to write a partition.
     *
     * @param onFailure told, in an event loop, when the writer has failed by itself
     */
    public WriteStream write(
            PartitionKey key, List<Candidate> candidates, int subpartitions, Consumer<Throwable> onFailure) {
        Side side = of(writing, key.hashCode());
        return new WriteStream(side.lane(), side.directory(), counts, key, candidates, subpartitions, onFailure);
    }

    /**
     * A stream of the subpartitions {@code from} to {@code to}, both inclusive, of a partition; it is yet to be
     * started.
     *
     * @param credit blocks that the listener can take at first
     */
    public ReadStream read(
            PartitionKey key, List<Candidate> candidates, int from, int to, int credit, ReadListener listener) {
        Side side = of(reading, key.hashCode() * 31 + from);
        return new ReadStream(side.lane(), side.directory(), counts, key, candidates, from, to, credit, listener);
    }

    public Counts counts() {
        return counts;
    }

    /** Connections now. */
    public int connections() {
        int sum = 0;
        for (int i = 0; i < writing.size(); i++) {
            sum += writing.get(i).lane().connections() + reading.get(i).lane().connections();
        }
        return sum;
    }

    @Override
    public void close() {
        writing.forEach(side -> side.lane().close());
        reading.forEach(side -> side.lane().close());
    }
}
