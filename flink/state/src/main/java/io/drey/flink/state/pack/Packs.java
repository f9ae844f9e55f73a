package io.drey.flink.state.pack;

import io.drey.checkpoint.retention.SharedNames;
import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.flink.state.task.Time;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;

/**
 * The packs of a process: small files that stores of one job upload at about the same time become sections of one
 * object. A store joins with its files, waits until the pack is closed, and whoever finds a closed pack that nobody
 * writes is the one to write it: in its own threads, so that there are no others. If it gives up, the next one takes the
 * pack over; if it stands still, the others leave and write their files themselves. A pack of one file is not made.
 *
 * <p>Files in a pack are of one job, one directory and one first checkpoint that may list them: so the name of the pack
 * says of it what names of files say of these. Thread safe; nobody waits under its lock.
 */
public final class Packs {
    /** Files from this size on are objects of their own. */
    private static final long SECTION_BYTES_END = 4 << 20;

    /** Larger packs would go up slower than the same bytes in several. */
    private static final long PACK_BYTES_MAX = 16 << 20;

    static final int SECTIONS_MAX = 1_000;

    /** A pack is closed so long after the last file, unless all stores have come before. */
    static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The same if none of its files is one that a checkpoint waits for. */
    static final long AHEAD_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Or so long after the first one: also if stores are still to come without which no checkpoint completes. */
    static final long OPEN_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500);

    /** Others do not wait for a pack of which nothing moves for so much longer than is usual. */
    static final long STANDSTILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

    /** Checkpoints that are remembered; of older ones it is forgotten which stores have come. */
    private static final int GROUPS_MAX = 64;

    private final long sectionBytesEnd;
    private final long packBytesMax;
    private final SharedNames names = new SharedNames(UUID.randomUUID());
    private final Map<GroupKey, Group> groups = new LinkedHashMap<>();

    /** By job, those that have begun a checkpoint and have not ended, and their tasks: others wait for them shortly. */
    private final Map<JobID, Map<Object, Task>> stores = new HashMap<>();

    /** Checkpoints that have begun at a store, and of which it has not joined with the last files. */
    private final Map<Object, Integer> coming = new HashMap<>();

    private CountDownLatch changed = new CountDownLatch(1);

    /**
     * The files in one pack have it in common.
     *
     * @param directory of the pack
     * @param first the first checkpoint that may complete with them
     */
    public record Key(JobID job, Path directory, long first) {}

    /**
     * A task in one attempt. Stores of operators that are chained have it in common: Flink lets them upload one after the
     * other, so none waits for another.
     */
    public record Task(JobID job, ExecutionAttemptID attempt) {}

    /** A file that is to be in a pack. Any thread. */
    public interface Section {
        String name();

        long bytes();

        /** @throws UnreadableException if it is not the pack that cannot be written */
        void copyTo(CheckpointStateOutputStream out, Attempt attempt) throws IOException;
    }

    /**
     * A group of packs. What is uploaded ahead of a checkpoint is in packs of its own: a store whose checkpoint has begun waits for them,
     * and others must not wait for that store then.
     */
    record GroupKey(Key key, boolean ahead) {}

    /** Packs of one key. */
    private static final class Group {
        /** Null if there is none to join. */
        private Pack open;

        /** Stores that have no more files for the checkpoint. */
        private final Set<Object> came = new HashSet<>();

        /** Whether nobody waits for a store; what is uploaded ahead is uploaded by all stores at a time. */
        private boolean isHere(Object store, Task task, boolean ahead) {
            return came.contains(store) || (open != null && (ahead ? open.has(store) : open.has(task)));
        }
    }

    public Packs() {
        this(SECTION_BYTES_END, PACK_BYTES_MAX);
    }

    /**
     * @param sectionBytesEnd files from this size on are in no pack
     * @param packBytesMax bytes in a pack
     */
    public Packs(long sectionBytesEnd, long packBytesMax) {
        this.sectionBytesEnd = sectionBytesEnd;
        this.packBytesMax = packBytesMax;
    }

    /** Whether a file of that size may be in a pack. */
    public boolean fits(long bytes) {
        return bytes < sectionBytesEnd;
    }

    /** Whether there is room in a pack for more. */
    boolean hasRoom(int sections, long bytes) {
        return sections <= SECTIONS_MAX && bytes <= packBytesMax;
    }

    /**
     * A store uploads small files, maybe none.
     *
     * @param store tells it from others; it {@link #comes} before, and ends after its last checkpoint
     * @param last whether it has no more for this checkpoint: others need not wait for it
     */
    public synchronized PackUpload join(
            Key key, Object store, List<? extends Section> sections, boolean last, Time time) {
        // One that has ended meanwhile is not waited for, and not remembered.
        Map<Object, Task> all = stores.getOrDefault(key.job(), Map.of());
        GroupKey groupKey = new GroupKey(key, !last);
        Group group = groups.computeIfAbsent(groupKey, absent -> new Group());
        PackUpload upload = new PackUpload(this, time);
        long now = time.nanos();
        for (Section section : sections) {
            if (group.open != null && !group.open.hasRoom(section)) {
                close(group);
            }
            if (group.open == null) {
                group.open = new Pack(this, groupKey, now);
            }
            group.open.add(upload, store, all.get(store), section, now);
        }
        if (last && all.containsKey(store)) {
            group.came.add(store);
        }
        if (group.open != null
                && all.entrySet().stream().allMatch(each -> group.isHere(each.getKey(), each.getValue(), !last))) {
            close(group);
        }
        forget();
        changed();
        return upload;
    }

    private void forget() {
        Iterator<Group> eldest = groups.values().iterator();
        while (groups.size() > GROUPS_MAX) {
            Group group = eldest.next();
            if (group.open != null) {
                close(group);
            }
            eldest.remove();
        }
    }

    private static void close(Group group) {
        group.open.close();
        group.open = null;
    }

    /** A checkpoint has begun at a store: it will join with its last files, or {@link #went}. */
    public synchronized void comes(Task task, Object store) {
        stores.computeIfAbsent(task.job(), absent -> new HashMap<>()).put(store, task);
        coming.merge(store, 1, Integer::sum);
    }

    /** A store has joined with its last files for a checkpoint, or never will. */
    public synchronized void went(Object store) {
        coming.computeIfPresent(store, (each, checkpoints) -> checkpoints == 1 ? null : checkpoints - 1);
        changed();
    }

    /** Whether any store will have further files for packs; under the lock of this. */
    boolean areComing(GroupKey key) {
        Group group = groups.get(key);
        return stores.getOrDefault(key.key().job(), Map.of()).entrySet().stream()
                .anyMatch(each -> coming.containsKey(each.getKey())
                        && (group == null || !group.isHere(each.getKey(), each.getValue(), false)));
    }

    /** A store uploads nothing, as long as it does not join. */
    public synchronized void end(Task task, Object store) {
        coming.remove(store);
        groups.values().forEach(group -> group.came.remove(store));
        Map<Object, Task> all = stores.get(task.job());
        if (all != null && all.remove(store) != null && all.isEmpty()) {
            stores.remove(task.job());
        }
    }

    /** The time has come for a pack to be closed, or all have left it; under the lock of this. */
    void close(Pack pack) {
        Group group = groups.get(pack.group());
        if (group != null && group.open == pack) {
            group.open = null;
        }
        pack.close();
        changed();
    }

    /** A new name for an object that may be listed from a checkpoint on. */
    String name(long first) {
        return names.next(first);
    }

    /** Under the lock of this. */
    void changed() {
        changed.countDown();
        changed = new CountDownLatch(1);
    }

    /** Opens at the next change; under the lock of this. */
    CountDownLatch nextChange() {
        return changed;
    }
}
