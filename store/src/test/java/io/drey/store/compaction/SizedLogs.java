package io.drey.store.compaction;

import io.drey.store.file.FileId;
import io.drey.store.tuning.CompactionYield;
import io.drey.store.version.LogUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * Value logs by what they hold only, with the choices of {@link CompactionLimits#isMajorDue}, {@link CompactionYield}
 * and {@link GarbagePicker}, for simulations. Time is the number of values written. A value that is alive when its
 * buffer is flushed goes into the flush's log; one that has died leaves a tombstone to the next flush, and its log when
 * a major compaction that has begun after that ends.
 */
final class SizedLogs {
    static final long VALUE_BYTES = 1000;
    static final int LOGS_MAX = 100;
    private static final long POINTER_BYTES = 60;
    private static final long TOMBSTONE_BYTES = 25;

    private record Value(long death) {}

    private record Log(long bytes, List<Value> values) {}

    private final CompactionLimits limits;
    private final CompactionYield freed = new CompactionYield();
    private final int flushValues;
    private final double majorPart;
    private final Map<FileId, Log> logs = new LinkedHashMap<>();
    private final PriorityQueue<Value> dying = new PriorityQueue<>(Comparator.comparingLong(Value::death));
    private List<Value> buffer = new ArrayList<>();
    private long made;
    private long now;
    private long written;
    private long flushed;
    private long deadInBuffer;
    private long youngBytes;
    private long oldBytes;
    private long alive;

    /** When the major compaction in progress ends, what it takes, and what it empties. */
    private long majorEnd = -1;

    private long majorBegin;
    private long majorBytes;
    private Set<FileId> emptied = Set.of();

    private double spaceSum;
    private double spaceMax;
    private long spaces;
    private int countMax;

    /**
     * No values.
     *
     * @param flushValues values that are flushed at once
     * @param majorPart values written while a major compaction lasts, as a part of those alive
     */
    SizedLogs(CompactionLimits limits, int flushValues, double majorPart) {
        this.limits = limits;
        this.flushValues = flushValues;
        this.majorPart = majorPart;
    }

    /** Writes values, each with the lifetime that follows from its number. */
    void write(long count, LongUnaryOperator lifetime) {
        for (long end = now + count; now < end; now++) {
            Value value = new Value(now + lifetime.applyAsLong(now));
            buffer.add(value);
            dying.add(value);
            alive++;
            while (dying.peek() != null && dying.peek().death <= now) {
                dying.poll();
                alive--;
                deadInBuffer++;
            }
            if (now == majorEnd) {
                endMajor();
            }
            if (buffer.size() == flushValues) {
                flush();
            }
        }
    }

    private void flush() {
        List<Value> living = new ArrayList<>();
        for (Value value : buffer) {
            if (value.death > now) {
                living.add(value);
            } else {
                deadInBuffer--;
            }
        }
        buffer = new ArrayList<>();
        addLog(living);
        flushed += living.size() * VALUE_BYTES;
        youngBytes += living.size() * POINTER_BYTES + deadInBuffer * TOMBSTONE_BYTES;
        deadInBuffer = 0;
        if (majorEnd < now) {
            compaction();
        }
        measure();
    }

    private void addLog(List<Value> values) {
        if (!values.isEmpty()) {
            logs.put(new FileId(0, made++), new Log(values.size() * VALUE_BYTES, new ArrayList<>(values)));
            written += values.size() * VALUE_BYTES;
        }
    }

    private List<LogUsage.Use> uses() {
        List<LogUsage.Use> uses = new ArrayList<>();
        logs.forEach((id, log) -> uses.add(new LogUsage.Use(id, log.bytes, log.values.size() * VALUE_BYTES)));
        return uses;
    }

    private void compaction() {
        List<LogUsage.Use> uses = uses();
        long values = uses.stream().mapToLong(LogUsage.Use::liveBytes).sum();
        boolean majorCompaction = limits.isMajorDue(youngBytes, oldBytes, values, freed.expected(youngBytes, values));
        emptied = new HashSet<>();
        List<LogUsage.Use> garbage = GarbagePicker.garbage(uses);
        garbage.forEach(use -> emptied.add(use.log()));
        GarbagePicker.small(uses, garbage, LOGS_MAX, Long.MAX_VALUE).forEach(use -> emptied.add(use.log()));
        if (majorCompaction) {
            majorBegin = now;
            majorBytes = youngBytes;
            majorEnd = now + Math.max(1, (long) (alive * majorPart));
        } else if (!emptied.isEmpty()) {
            empty();
        }
    }

    private void endMajor() {
        long before = pointed();
        logs.values().forEach(log -> log.values.removeIf(value -> value.death <= majorBegin));
        empty();
        freed.compacted(majorBytes, before - pointed());
        freed.ended();
        youngBytes -= majorBytes;
        oldBytes = pointed() / VALUE_BYTES * POINTER_BYTES;
        written += oldBytes;
    }

    private void empty() {
        List<Value> moved = new ArrayList<>();
        for (FileId id : emptied) {
            moved.addAll(logs.remove(id).values);
        }
        emptied = Set.of();
        logs.values().removeIf(log -> log.values.isEmpty());
        addLog(moved);
    }

    private long pointed() {
        return logs.values().stream()
                .mapToLong(log -> log.values.size() * VALUE_BYTES)
                .sum();
    }

    private void measure() {
        long bytes = logs.values().stream().mapToLong(Log::bytes).sum() + youngBytes + oldBytes;
        double space = (double) bytes / (alive * VALUE_BYTES);
        spaceSum += space;
        spaceMax = Math.max(spaceMax, space);
        spaces++;
        countMax = Math.max(countMax, logs.size());
    }

    void forget() {
        written = 0;
        flushed = 0;
        spaceSum = 0;
        spaceMax = 0;
        spaces = 0;
        countMax = 0;
    }

    /** Most logs that there were. */
    int countMax() {
        return countMax;
    }

    /** Bytes written for each byte flushed. */
    double writeAmplification() {
        return (double) written / flushed;
    }

    /** Bytes of files for each living byte, on average over time. */
    double space() {
        return spaceSum / spaces;
    }

    double spaceMax() {
        return spaceMax;
    }
}
