package io.drey.flink.state.simulation;

import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.simulation.Tally.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.filesystem.PausingStreams;

/** Everything that surrounds a simulated job: chance, time, the storage, and what the seed decides for all of it. */
final class World {
    static final int PARALLELISM_MAX = 3;

    /** Checkpoints under way at once. */
    private static final int OVERLAPPING_MAX = 4;

    private static final int RETAINED_MAX = 3;
    private static final int STEPS_MIN = 20;
    private static final int STEPS_MAX = 110;
    private static final int KEYS_MAX = 24;
    private static final int STORAGE_BUFFER_BYTES = 256;
    private static final int FAULTS_PER_MILLE_MAX = 40;
    private static final int SECTION_BYTES_END = 1 << 10;
    private static final int PACK_BYTES_MAX = 3 << 10;
    private static final int TTL_MS_MIN = 1_000;

    /** So that checkpoints are prepared. */
    private static final int INTERVAL_MS_MIN = 2_600;

    private static final int INTERVAL_MS_MAX = 12_000;

    final SplittableRandom random;
    final java.nio.file.Path base;
    final Tally tally;
    final SimulatedMachine.Clock clock = new SimulatedMachine.Clock();
    final SimulatedStorage storage;
    final Orphans orphans;
    final Retained kept;

    /** Completed, and not looked at. */
    final List<SimulatedJobManager.Savepoint> savepoints = new ArrayList<>();

    final Doubts doubts = new Doubts(this);
    final DistantFaults distantFaults = new DistantFaults(this);
    final List<String> keys;
    final int steps;
    final int overlappingMax;
    final int retained;

    /** Files up to this size are in handles. */
    final int inlineBytes;

    /** Of the process in which the next task begins. */
    Packs packs = packs();

    /** Whether all tasks are in one process. */
    final boolean together;

    final boolean hasLocalRecovery;
    boolean hasDiskFaults;

    /** Between checkpoints, 0 if they come at any time. */
    final int intervalMs;

    final long ttlMs;

    /** Whether all values expire, so that whole files do. */
    final boolean allExpires;

    private final int wantedStorageFaults;

    /** I/Os of the storage that fail now, of a thousand. */
    private int storageFaults;

    /** @param base a directory for local files, used if the seed says so */
    World(long seed, java.nio.file.Path base, Tally tally) {
        this.random = new SplittableRandom(seed);
        this.base = base;
        this.tally = tally;
        storage = SimulatedStorage.begin(seed);
        orphans = new Orphans(storage);
        kept = new Retained(storage);
        storage.surround(clock::millis, kept::list);
        keys = IntStream.range(0, 1 + random.nextInt(KEYS_MAX))
                .mapToObj(number -> "key".substring(0, number % 4) + number)
                .toList();
        steps = STEPS_MIN + random.nextInt(STEPS_MAX - STEPS_MIN + 1);
        overlappingMax = 1 + random.nextInt(OVERLAPPING_MAX);
        retained = random.nextInt(3) == 0 ? 1 + random.nextInt(RETAINED_MAX) : 1;
        inlineBytes = random.nextInt(3) == 0 ? STORAGE_BUFFER_BYTES / 2 : 0;
        hasLocalRecovery = random.nextInt(6) == 0;
        wantedStorageFaults = random.nextInt(3) == 0 ? 1 + random.nextInt(FAULTS_PER_MILLE_MAX) : 0;
        hasDiskFaults = random.nextInt(3) == 0;
        intervalMs = random.nextInt(3) == 0 ? 0 : random.nextInt(INTERVAL_MS_MIN, INTERVAL_MS_MAX);
        together = random.nextInt(4) != 0;
        ttlMs = TTL_MS_MIN + 8L * intervalMs;
        allExpires = random.nextInt(4) == 0;
    }

    /** Some files are too large for a pack, and some packs are full. */
    static Packs packs() {
        return new Packs(SECTION_BYTES_END, PACK_BYTES_MAX);
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** The storage fails now and then, from now on. */
    void beginStorageFaults() {
        storageFaults = wantedStorageFaults;
        storage.faults(storageFaults);
    }

    /** Storage and disks fail no more. */
    void endFaults() {
        hasDiskFaults = false;
        storageFaults = 0;
        storage.faults(0);
    }

    /** The storage fails again as it did before {@link #spareStorage}. */
    void resumeStorageFaults() {
        storage.faults(storageFaults);
    }

    /** The storage does not fail for a while. */
    void spareStorage() {
        storage.faults(0);
    }

    /** A job's streams into the storage. */
    PausingStreams streams(SimulatedJobManager manager, SimulatedJobManager.Pending checkpoint) {
        Path own = checkpoint.own;
        return new PausingStreams(
                storage, own, checkpoint.savepoint ? own : manager.shared, inlineBytes, STORAGE_BUFFER_BYTES);
    }

    void checkStorage() {
        if (!storage.deletedInUse().isEmpty()) {
            throw new AssertionError(
                    "expected what checkpoints list to stay, found deleted: " + storage.deletedInUse());
        }
    }

    /** Counts what the storage did on purpose. */
    void countStorageFaults() {
        SimulatedStorage.Counts counts = storage.counts();
        tally.count(Event.STORAGE_WRITE_FAILED, counts.writesFailed());
        tally.count(Event.STORAGE_WRITE_TORN, counts.writesTorn());
        tally.count(Event.STORAGE_READ_FAILED, counts.readsFailed());
        tally.count(Event.STORAGE_DELETE_FAILED, counts.deletesFailed());
        tally.count(Event.STORAGE_LIST_FAILED, counts.listsFailed());
        tally.count(Event.ROUND_FILE_DROPPED, counts.aheadDeleted());
    }
}
