package io.drey.jobs.tally;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Count, checksum and first rows of a result, or of a part of it. Parts are merged in any order. The first rows are the
 * earliest in event time, ties by their text. A class with public fields because Flink keeps such classes in state
 * field by field.
 */
public final class Tally implements Serializable {
    private static final long serialVersionUID = 1L;

    /** How many first rows are kept. */
    public static final int FIRST_ROWS = 5;

    public long count;
    public long checksum;

    /** Event times of the first rows, ascending. */
    public long[] firstTimestampsMs = {};

    /** The first rows as lines. */
    public String[] firstLines = {};

    public Tally() {}

    /** Adds a row. Hot path: the line is made only for a row that may be among the first. */
    public void add(ResultRow row) {
        count++;
        checksum += row.digest();
        long timestampMs = row.timestampMs();
        int kept = firstLines.length;
        if (kept < FIRST_ROWS || timestampMs <= firstTimestampsMs[kept - 1]) {
            insert(timestampMs, row.line());
        }
    }

    /** Adds all of another part. */
    public void merge(Tally other) {
        count += other.count;
        checksum += other.checksum;
        for (int i = 0; i < other.firstLines.length; i++) {
            insert(other.firstTimestampsMs[i], other.firstLines[i]);
        }
    }

    /** An independent copy. */
    public Tally copy() {
        Tally copy = new Tally();
        copy.merge(this);
        return copy;
    }

    /** The first rows as lines. */
    public List<String> first() {
        return List.of(firstLines);
    }

    private void insert(long timestampMs, String line) {
        int kept = firstLines.length;
        int place = kept;
        while (place > 0 && comesBefore(timestampMs, line, place - 1)) {
            place--;
        }
        if (place == FIRST_ROWS) {
            return;
        }
        int size = Math.min(kept + 1, FIRST_ROWS);
        long[] timestamps = Arrays.copyOf(firstTimestampsMs, size);
        String[] lines = Arrays.copyOf(firstLines, size);
        System.arraycopy(firstTimestampsMs, place, timestamps, place + 1, size - place - 1);
        System.arraycopy(firstLines, place, lines, place + 1, size - place - 1);
        timestamps[place] = timestampMs;
        lines[place] = line;
        firstTimestampsMs = timestamps;
        firstLines = lines;
    }

    private boolean comesBefore(long timestampMs, String line, int index) {
        int byTime = Long.compare(timestampMs, firstTimestampsMs[index]);
        return byTime < 0 || (byTime == 0 && line.compareTo(firstLines[index]) < 0);
    }
}
