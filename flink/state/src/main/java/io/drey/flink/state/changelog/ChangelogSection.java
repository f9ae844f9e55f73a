package io.drey.flink.state.changelog;

import io.drey.foundation.Memory;
import io.drey.store.block.BlockLayout;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A piece of one log: blocks (see {@link BlockLayout}) whose raw bytes, one after another, are changes:
 *
 * <pre>
 *  change:  | varint key group + 1, or 0 for meta data | varint length | bytes |
 *
 *  section: | seed 8 | length of the blocks 4 | checksum of both 4 | blocks |        numbers little endian
 *
 *  file:    | DREYCLOG | section | section | ...                of several logs
 * </pre>
 *
 * <p>A change may begin in one section and end in the next; one that a checkpoint begins or ends with is cut between
 * changes. The checksum of a block is seeded with the section's seed and the block's place in the section.
 *
 * <p>While it grows it is of one thread; then its fields are guarded by {@link ChangelogUploads}, and its pages by
 * itself.
 */
final class ChangelogSection {
    static final int HEADER_BYTES = 16;

    /** Of the header, that its checksum is of. */
    static final int CHECKED_BYTES = 12;

    private static final int PAGE_BYTES = ChangelogUploads.PAGE_BYTES;

    /**
     * The two numbers that Flink's own reader takes from a seed are positive. It looks for a change then, where it would
     * else find the log at its end: a job that goes over to this storage may have its restores read by that one.
     */
    private static final long SEED_SET = 1L << 8 | 1L << 40;

    private static final long SEED_CLEAR = 1L << 15 | 1L << 47;

    /** The way of a section. */
    enum State {
        /** Nobody writes it into the storage. */
        WAITING,
        WRITING,
        STORED,
        /** No checkpoint will list it any more. */
        GONE
    }

    final ChangelogSections log;
    final long number;

    /** Of the checksums of its blocks: so that none passes for one of another section. */
    final long seed = (ThreadLocalRandom.current().nextLong() & ~SEED_CLEAR) | SEED_SET;

    State state = State.WAITING;

    /** The first checkpoint that may list it. */
    long first;

    /** Once it is stored. */
    ChangelogFile file;

    long offset;

    /** The log, until it is truncated, and checkpoints that wait for it. */
    int users = 1;

    /** Checkpoints that wait for it. */
    int awaited;

    /** Whether Flink was given a handle of it: then the job manager deletes the file. */
    boolean listed;

    private long[] pages = new long[8];
    private int count;
    private int bytes;
    private boolean released;

    ChangelogSection(ChangelogSections log, long number) {
        this.log = log;
        this.number = number;
    }

    /** Bytes of its blocks. */
    int bytes() {
        return bytes;
    }

    /** Bytes that it takes in a file. */
    int storedBytes() {
        return HEADER_BYTES + bytes;
    }

    /** The seed of the checksum of a block that is added now, by its place. */
    long blockSeed() {
        return BlockLayout.seed(seed, bytes);
    }

    /** Pages that so many more bytes take. */
    int pagesFor(int more) {
        return (bytes + more + PAGE_BYTES - 1) / PAGE_BYTES - count;
    }

    void addPage(long address) {
        if (count == pages.length) {
            pages = Arrays.copyOf(pages, 2 * count);
        }
        pages[count++] = address;
    }

    /** Adds bytes, for which there are pages. */
    void add(long address, int length) {
        int done = 0;
        while (done < length) {
            int within = bytes % PAGE_BYTES;
            int part = Math.min(length - done, PAGE_BYTES - within);
            Memory.copy(address + done, pages[bytes / PAGE_BYTES] + within, part);
            bytes += part;
            done += part;
        }
    }

    /** Copies the bytes of its blocks from a place on, as many as there are and have room; returns how many. */
    synchronized int read(int from, byte[] into) {
        if (released) {
            throw new CancellationException("a section of the changelog is not wanted any more");
        }
        int length = Math.min(bytes - from, into.length);
        for (int done = 0; done < length; ) {
            int within = (from + done) % PAGE_BYTES;
            int part = Math.min(length - done, PAGE_BYTES - within);
            Memory.copy(pages[(from + done) / PAGE_BYTES] + within, into, done, part);
            done += part;
        }
        return length;
    }

    /** Takes the pages away that it does not need, of which each must be given back. */
    long[] trim() {
        long[] unused = Arrays.copyOfRange(pages, count + pagesFor(0), count);
        count -= unused.length;
        return unused;
    }

    /** Takes its pages away, of which each must be given back; none if that was done before. */
    synchronized long[] release() {
        if (released) {
            return new long[0];
        }
        released = true;
        return Arrays.copyOf(pages, count);
    }
}
