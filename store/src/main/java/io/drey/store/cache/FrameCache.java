package io.drey.store.cache;

import io.drey.foundation.Arena;
import io.drey.foundation.Hash;
import java.util.Arrays;

/**
 * Frames of one size, keyed by the number of an opened file and an offset in it, evicted by a clock: pages of filters
 * in one such cache, uncompressed blocks in another. One thread. Grows by chunks of arena pages as it is filled, up to
 * a limit; when the arena is full it evicts instead.
 *
 * <p>A frame is known by its number, 0 to {@code maxFrames - 1}; it keeps its content until the next {@link #add} or
 * {@link #shrink}, and while it is pinned. What is kept per frame are primitive arrays, which double
 * with the frames: all stores of a slot may take much of it, and together they fill it once.
 */
public final class FrameCache implements AutoCloseable {
    /** The answer when a frame is not there or not to be had. */
    public static final int NONE = -1;

    /** In {@link #lengths}: the frame has memory and no content. */
    private static final int FREE = -1;

    /** Frames that an eviction looks at: one that was asked for stays if there is another among so many. */
    private static final int LOOKED_AT_MAX = 32;

    /** In {@link #lengths}: the frame has no memory. */
    private static final int ABSENT = -2;

    private final int frameBytesLeast;
    private final Arena arena;
    private int frameBytes;
    private int pagesPerChunk;
    private int framesPerChunk;

    private final long[] chunks;
    private long[] addresses = {};

    /** The file and the offset of each frame, side by side. */
    private long[] names = {};

    private int[] lengths = {};
    private int[] pins = {};
    private boolean[] referenced = {};

    /** Who is told when a frame's content goes, and at which index; null for nobody. */
    private int[][] holders = {};

    private int[] holderIndexes = {};
    private int[] freeFrames = {};

    /**
     * A hash table, 0 where empty: the lower half of the name's hash above, which tells the slot, the frame and one
     * below.
     */
    private long[] table = {};

    private int freeCount;
    private int frameCount;
    private int chunksUsed;
    private int limit;
    private int hand;
    private long hits;
    private long misses;

    /** What was evicted lately, and how much ever; null if nobody asks. */
    private GhostList ghosts;

    private long watchedBytes;
    private int evicted;
    private int scratchPages;
    private long missesOfSize;

    /** A cache of at most {@code maxFrames} frames; it takes no memory before it is filled. */
    public FrameCache(int frameBytes, int maxFrames, Arena arena) {
        if (frameBytes < 64 || maxFrames < 1 || maxFrames > 1 << 28) {
            throw new IllegalArgumentException(
                    "expected frames of >= 64 bytes, 1 to 2^28 of them, found " + frameBytes + " and " + maxFrames);
        }
        this.frameBytesLeast = frameBytes;
        this.arena = arena;
        divide(frameBytes);
        this.chunks = new long[Math.max(1, maxFrames / framesPerChunk)];
        this.limit = framesMax();
        makeRoom(framesPerChunk);
    }

    /** Makes arrays for so many frames. */
    private void makeRoom(int needed) {
        int before = lengths.length;
        if (needed <= before) {
            return;
        }
        int frames = Math.max(needed, Math.min(framesMax(), 2 * before));
        long[] newTable = new long[Integer.highestOneBit(frames * 2 - 1) << 1];
        addresses = Arrays.copyOf(addresses, frames);
        names = Arrays.copyOf(names, 2 * frames);
        pins = Arrays.copyOf(pins, frames);
        referenced = Arrays.copyOf(referenced, frames);
        holders = Arrays.copyOf(holders, frames);
        holderIndexes = Arrays.copyOf(holderIndexes, frames);
        freeFrames = Arrays.copyOf(freeFrames, frames);
        lengths = Arrays.copyOf(lengths, frames);
        Arrays.fill(lengths, before, frames, ABSENT);
        table = newTable;
        for (int frame = 0; frame < before; frame++) {
            if (lengths[frame] >= 0) {
                enter(hashOf(frame), frame);
            }
        }
    }

    private void enter(long hash, int frame) {
        int slot = slotOf(hash);
        while (table[slot] != 0) {
            slot = slot + 1 & table.length - 1;
        }
        table[slot] = hash << 32 | (frame + 1);
    }

    private void divide(int newFrameBytes) {
        frameBytes = newFrameBytes;
        pagesPerChunk = (frameBytes + arena.pageBytes() - 1) / arena.pageBytes();
        framesPerChunk = pagesPerChunk * arena.pageBytes() / frameBytes;
    }

    /** Frames of all chunks. */
    private int framesMax() {
        return chunks.length * framesPerChunk;
    }

    /**
     * Makes frames of another size, or of the first one if that is larger, in the same memory. If it changes, what they
     * hold is forgotten. False while one is pinned: then they keep their size.
     */
    public boolean resize(int wantedBytes) {
        int newFrameBytes = Math.max(frameBytesLeast, wantedBytes);
        if (newFrameBytes == frameBytes) {
            return true;
        }
        shrink(0);
        if (frameCount > 0) {
            return false;
        }
        limit = (int) ((long) limit * frameBytes / newFrameBytes);
        hand = 0;
        divide(newFrameBytes);
        if (ghosts != null) {
            watch(watchedBytes);
        }
        return true;
    }

    /** From now on the cache does not grow into so many pages of the arena, which are for scratch memory. */
    public void leave(int newScratchPages) {
        scratchPages = newScratchPages;
    }

    /** Notes so many bytes of what is evicted, as a somewhat larger cache would have, for {@link #missesOfSize}. */
    public void watch(long windowBytes) {
        watchedBytes = windowBytes;
        long frames = windowBytes / frameBytes;
        ghosts = new GhostList((int) frames, frames);
    }

    /** How many misses a somewhat larger cache would not have had, about. */
    public long missesOfSize() {
        return missesOfSize;
    }

    /** Pages of the arena that all frames take. */
    public int pages() {
        return chunksUsed * pagesPerChunk;
    }

    public int frameBytes() {
        return frameBytes;
    }

    /** Frames that have memory now. */
    public int frames() {
        return frameCount;
    }

    /** The frame that holds what is at an offset of a file, or {@link #NONE}. */
    public int find(long file, long offset) {
        int frame = lookUp(file, offset);
        if (frame == NONE) {
            misses++;
        } else {
            touch(frame);
        }
        return frame;
    }

    private int lookUp(long file, long offset) {
        long hash = Hash.combine(file, offset);
        int slot = slotOf(hash);
        for (long content = table[slot]; content != 0; content = table[slot]) {
            if ((int) (content >>> 32) == (int) hash) {
                int frame = (int) content - 1;
                if (names[2 * frame] == file && names[2 * frame + 1] == offset) {
                    return frame;
                }
            }
            slot = slot + 1 & table.length - 1;
        }
        return NONE;
    }

    /** How often a frame was asked for that was there; this and {@link #misses} may be asked by any thread. */
    public long hits() {
        return hits;
    }

    /** How often {@link #find} found none. */
    public long misses() {
        return misses;
    }

    /**
     * A frame for what is at an offset of a file and is not here yet, to be filled at once; {@link #NONE} if none is to
     * be had.
     */
    public int add(long file, long offset, int length) {
        assert length >= 0 && length <= frameBytes && lookUp(file, offset) == NONE;
        if (frameCount > limit && freeCount == 0) {
            releaseOne();
        }
        int frame = freeCount > 0 || grow() ? freeFrames[--freeCount] : evict();
        if (frame == NONE) {
            return NONE;
        }
        names[2 * frame] = file;
        names[2 * frame + 1] = offset;
        lengths[frame] = length;
        referenced[frame] = false;
        long hash = Hash.combine(file, offset);
        if (ghosts != null && ghosts.isBack(hash, evicted)) {
            missesOfSize += ghosts.weight();
        }
        enter(hash, frame);
        return frame;
    }

    /** Whether an {@link #add} evicts nothing. */
    public boolean hasRoom() {
        return freeCount > 0 || grow();
    }

    /** Takes back an {@link #add} whose frame could not be filled. */
    public void remove(int frame) {
        assert pins[frame] == 0;
        unmap(frame);
        lengths[frame] = FREE;
        freeFrames[freeCount++] = frame;
    }

    /** Writes the frame's number to an element of an array, and {@link #NONE} there as soon as its content goes. */
    public void tell(int frame, int[] holder, int index) {
        holders[frame] = holder;
        holderIndexes[frame] = index;
        holder[index] = frame;
    }

    /** The content of a frame is asked for, as by {@link #find}. */
    public void touch(int frame) {
        hits++;
        if (!referenced[frame]) {
            referenced[frame] = true;
        }
    }

    public long address(int frame) {
        return addresses[frame];
    }

    /** The length that the frame was added with. */
    public int length(int frame) {
        return lengths[frame];
    }

    /** Keeps the frame until as many calls of {@link #unpin}. */
    public void pin(int frame) {
        pins[frame]++;
    }

    public void unpin(int frame) {
        assert pins[frame] > 0;
        pins[frame]--;
    }

    /**
     * Sets how many frames there may be from now on, at most as many as at first. If there are more, each {@link #add}
     * gives a few back.
     */
    public void limit(int frames) {
        limit = Math.min(frames, framesMax());
    }

    /** Whether there are no more frames than there may be. */
    public boolean isWithinLimit() {
        return frameCount <= limit;
    }

    /** Evicts and gives pages back until no more than so many frames are left, as far as no pin forbids it. */
    public void shrink(int frames) {
        for (int chunk = chunks.length - 1; chunk >= 0 && frameCount > frames; chunk--) {
            if (chunks[chunk] != 0 && !isPinned(chunk)) {
                release(chunk);
            }
        }
        collectFree();
    }

    /** Gives back the pages that hold nothing. */
    public void trim() {
        for (int chunk = 0; chunk < chunks.length; chunk++) {
            if (chunks[chunk] != 0 && isEmpty(chunk)) {
                release(chunk);
            }
        }
        collectFree();
    }

    private boolean isEmpty(int chunk) {
        for (int frame = chunk * framesPerChunk; frame < (chunk + 1) * framesPerChunk; frame++) {
            if (lengths[frame] >= 0) {
                return false;
            }
        }
        return true;
    }

    private void collectFree() {
        freeCount = 0;
        for (int frame = 0; frame < lengths.length; frame++) {
            if (lengths[frame] == FREE) {
                freeFrames[freeCount++] = frame;
            }
        }
    }

    /**
     * Forgets the frames of files that are gone, in ascending order: looks at all frames once. None of them may be
     * pinned.
     */
    public void forget(long... files) {
        for (int frame = 0; frame < lengths.length; frame++) {
            if (lengths[frame] >= 0 && Arrays.binarySearch(files, names[2 * frame]) >= 0) {
                remove(frame);
            }
        }
    }

    /** Gives back all memory; no frame may be pinned. The cache can be filled again. */
    @Override
    public void close() {
        shrink(0);
        assert frameCount == 0;
    }

    private boolean isPinned(int chunk) {
        for (int frame = chunk * framesPerChunk; frame < (chunk + 1) * framesPerChunk; frame++) {
            if (pins[frame] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Gives back a chunk that the clock comes to, without a pinned frame; no frame may be free. */
    private void releaseOne() {
        int next = hand / framesPerChunk;
        for (int i = 0; i < chunks.length; i++) {
            int chunk = next + i < chunks.length ? next + i : next + i - chunks.length;
            if (chunks[chunk] != 0 && !isPinned(chunk)) {
                evictAll(chunk);
                release(chunk);
                return;
            }
        }
    }

    private void evictAll(int chunk) {
        for (int frame = chunk * framesPerChunk; frame < (chunk + 1) * framesPerChunk; frame++) {
            if (lengths[frame] >= 0) {
                noteEvicted(frame);
            }
        }
    }

    private void noteEvicted(int frame) {
        evicted++;
        if (ghosts != null) {
            ghosts.left(hashOf(frame), evicted);
        }
    }

    private void release(int chunk) {
        for (int frame = chunk * framesPerChunk; frame < (chunk + 1) * framesPerChunk; frame++) {
            if (lengths[frame] >= 0) {
                unmap(frame);
            }
            lengths[frame] = ABSENT;
        }
        arena.giveSpan(chunks[chunk], pagesPerChunk, Arena.Use.CACHE);
        chunks[chunk] = 0;
        chunksUsed--;
        frameCount -= framesPerChunk;
    }

    private boolean grow() {
        if (frameCount + framesPerChunk > limit || chunksUsed == chunks.length || !leavesEnough()) {
            return false;
        }
        int chunk = chunksUsed;
        for (int i = 0; chunks[chunk] != 0; i++) {
            chunk = i;
        }
        makeRoom((chunk + 1) * framesPerChunk);
        long address = arena.takeSpan(pagesPerChunk, Arena.Use.CACHE);
        if (address == Arena.FULL) {
            return false;
        }
        chunks[chunk] = address;
        chunksUsed++;
        frameCount += framesPerChunk;
        for (int i = framesPerChunk - 1; i >= 0; i--) {
            int frame = chunk * framesPerChunk + i;
            addresses[frame] = address + (long) i * frameBytes;
            lengths[frame] = FREE;
            freeFrames[freeCount++] = frame;
        }
        return true;
    }

    /** Whether one more chunk leaves the scratch memory that is set aside, of which some is in use. */
    private boolean leavesEnough() {
        long scratch = arena.usedBytes(Arena.Use.SCRATCH) / arena.pageBytes();
        return arena.freePages() + scratch >= scratchPages + pagesPerChunk;
    }

    /** The clock; it goes on for so many frames, then takes one although it was asked for. */
    private int evict() {
        int last = NONE;
        int looked = 0;
        int framesMax = Math.min(framesMax(), lengths.length);
        for (int i = 0; i < framesMax && frameCount > 0 && looked < LOOKED_AT_MAX; i++) {
            int frame = hand;
            hand = hand + 1 == framesMax ? 0 : hand + 1;
            if (lengths[frame] < 0 || pins[frame] > 0) {
                continue;
            }
            last = frame;
            looked++;
            if (!referenced[frame]) {
                break;
            }
            referenced[frame] = false;
        }
        if (last != NONE) {
            noteEvicted(last);
            unmap(last);
        }
        return last;
    }

    private void unmap(int frame) {
        if (holders[frame] != null) {
            holders[frame][holderIndexes[frame]] = NONE;
            holders[frame] = null;
        }
        int mask = table.length - 1;
        int hole = slotOf(hashOf(frame));
        while ((int) table[hole] != frame + 1) {
            hole = hole + 1 & mask;
        }
        // Later entries of the probe sequence move up, so that no search stops short of them.
        for (int slot = hole + 1 & mask; table[slot] != 0; slot = slot + 1 & mask) {
            int home = slotOf(table[slot] >>> 32);
            if ((slot - home & mask) >= (slot - hole & mask)) {
                table[hole] = table[slot];
                hole = slot;
            }
        }
        table[hole] = 0;
    }

    private long hashOf(int frame) {
        return Hash.combine(names[2 * frame], names[2 * frame + 1]);
    }

    private int slotOf(long hash) {
        return (int) hash & table.length - 1;
    }
}
