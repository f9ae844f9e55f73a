package io.drey.keyed.timer;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The next timers of all key groups of a subtask, sorted, on the heap in primitive arrays: blocks of at most
 * {@link #BLOCK} elements, each a rank and a slot of an {@link ElementPool}. Finding, adding and removing is a binary
 * search of the blocks' first elements and one within a block; the first element is taken by moving a bound. What it
 * takes on the heap depends on how many elements it holds, which its user limits. Hot path; one thread.
 *
 * <p>Invariants: blocks are not empty, and the elements of one come before those of the next.
 */
final class HeapTimers {
    private static final int BLOCK = 128;

    /** Empty blocks kept for later. */
    private static final int SPARES_MAX = 64;

    private static final class Block {
        final long[] ranks = new long[BLOCK];
        final int[] slots = new int[BLOCK];
        int from;
        int to;
    }

    private final BitSet changed = new BitSet();
    private final int keyGroupFrom;
    private ElementPool pool = new ElementPool();
    private Block[] blocks = new Block[16];
    private int firstBlock;
    private int endBlock;
    private final Block[] spares = new Block[SPARES_MAX];
    private int spareCount;
    private int size;
    private int weight;

    /** Where {@link #find} found an element, or where it would have to be. */
    private int foundBlock;

    private int foundPosition;

    private boolean removedFirst;

    HeapTimers(int keyGroupFrom) {
        this.keyGroupFrom = keyGroupFrom;
    }

    int size() {
        return size;
    }

    /** What the elements count for, see {@link Element#weight()}. */
    int weight() {
        return weight;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Bytes of the heap that are taken. */
    long heapBytes() {
        return pool.capacity() + (long) (endBlock - firstBlock + spareCount) * BLOCK * (Long.BYTES + Integer.BYTES);
    }

    /** The rank of the first element, of which there must be one. */
    long firstRank() {
        Block block = blocks[firstBlock];
        return block.ranks[block.from];
    }

    /** The first element. */
    Element first(Element into) {
        Block block = blocks[firstBlock];
        return read(block.slots[block.from], into);
    }

    /** The rank of the last element, of which there must be one. */
    long lastRank() {
        Block block = blocks[endBlock - 1];
        return block.ranks[block.to - 1];
    }

    /** The element in a slot. */
    Element read(int slot, Element into) {
        return into.at(pool.keyGroup(slot), pool.bytes(), ElementPool.offset(slot), pool.length(slot));
    }

    /** Adds an element; false if it is there already. */
    boolean add(Element element) {
        if (find(element)) {
            return false;
        }
        if (!pool.hasRoom(element.length())) {
            makeRoom(element.length());
        }
        insert(element.rank(), pool.put(element));
        size++;
        weight += element.weight();
        changed.set(element.keyGroup() - keyGroupFrom);
        return true;
    }

    /** Whether the element added last is the first one. */
    boolean addedFirst() {
        return foundBlock == firstBlock && foundPosition == blocks[firstBlock].from;
    }

    private void makeRoom(int length) {
        if (pool.isScattered()) {
            ElementPool tidy = new ElementPool();
            for (int b = firstBlock; b < endBlock; b++) {
                Block block = blocks[b];
                for (int i = block.from; i < block.to; i++) {
                    block.slots[i] = tidy.copy(pool, block.slots[i]);
                }
            }
            pool = tidy;
        }
        if (!pool.hasRoom(length)) {
            pool.grow(length);
        }
    }

    /** Removes an element; false if it is not there. Otherwise {@link #removedFirst} tells more. */
    boolean remove(Element element) {
        if (!find(element)) {
            return false;
        }
        Block block = blocks[foundBlock];
        int slot = block.slots[foundPosition];
        int before = foundPosition - block.from;
        int after = block.to - 1 - foundPosition;
        removedFirst = foundBlock == firstBlock && before == 0;
        if (before <= after) {
            System.arraycopy(block.ranks, block.from, block.ranks, block.from + 1, before);
            System.arraycopy(block.slots, block.from, block.slots, block.from + 1, before);
            block.from++;
        } else {
            System.arraycopy(block.ranks, foundPosition + 1, block.ranks, foundPosition, after);
            System.arraycopy(block.slots, foundPosition + 1, block.slots, foundPosition, after);
            block.to--;
        }
        gone(slot);
        dropIfEmpty(foundBlock);
        return true;
    }

    /** Whether the element removed last was the first one. */
    boolean removedFirst() {
        return removedFirst;
    }

    /** Removes the first element, of which there must be one. */
    void removeFirst() {
        Block block = blocks[firstBlock];
        gone(block.slots[block.from++]);
        dropIfEmpty(firstBlock);
    }

    void clear() {
        while (size > 0) {
            removeFirst();
        }
    }

    private void gone(int slot) {
        size--;
        weight -= Element.weight(pool.length(slot));
        changed.set(pool.keyGroup(slot) - keyGroupFrom);
        if (size == 0) {
            pool.clear();
        } else {
            pool.free(slot);
        }
    }

    private void dropIfEmpty(int index) {
        Block block = blocks[index];
        if (block.from < block.to) {
            return;
        }
        if (spareCount < SPARES_MAX) {
            spares[spareCount++] = block;
        }
        if (index == firstBlock) {
            blocks[firstBlock++] = null;
        } else {
            System.arraycopy(blocks, index + 1, blocks, index, endBlock - index - 1);
            blocks[--endBlock] = null;
        }
    }

    /** Finds an element, or the place of the first one that is larger. */
    private boolean find(Element element) {
        long rank = element.rank();
        int low = firstBlock;
        int high = endBlock;
        // The first block that begins after the element; the one before it is the element's.
        while (low < high) {
            int middle = (low + high) >>> 1;
            Block block = blocks[middle];
            if (isUpTo(block, block.from, rank, element)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == firstBlock) {
            foundBlock = low;
            foundPosition = low == endBlock ? 0 : blocks[low].from;
            return false;
        }
        foundBlock = low - 1;
        Block block = blocks[foundBlock];
        foundPosition = upTo(block, rank, element);
        if (foundPosition > block.from && isSame(block, foundPosition - 1, rank, element)) {
            foundPosition--;
            return true;
        }
        return false;
    }

    /** The position after all elements of a block that are not larger. */
    private int upTo(Block block, long rank, Element element) {
        int low = block.from;
        int high = block.to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isUpTo(block, middle, rank, element)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean isUpTo(Block block, int position, long rank, Element element) {
        long other = block.ranks[position];
        return other < rank || (other == rank && compareBytes(block.slots[position], element) <= 0);
    }

    private boolean isSame(Block block, int position, long rank, Element element) {
        return block.ranks[position] == rank && compareBytes(block.slots[position], element) == 0;
    }

    private int compareBytes(int slot, Element element) {
        return -element.compareBytes(pool.bytes(), ElementPool.offset(slot), pool.length(slot));
    }

    /** Inserts at the place that was found. */
    private void insert(long rank, int slot) {
        if (foundBlock == endBlock) {
            addBlock(endBlock);
        } else if (isFull(blocks[foundBlock])) {
            split();
        }
        Block block = blocks[foundBlock];
        int before = foundPosition - block.from;
        int after = block.to - foundPosition;
        if (block.to == BLOCK || (block.from > 0 && before < after)) {
            System.arraycopy(block.ranks, block.from, block.ranks, block.from - 1, before);
            System.arraycopy(block.slots, block.from, block.slots, block.from - 1, before);
            block.from--;
            foundPosition--;
        } else {
            System.arraycopy(block.ranks, foundPosition, block.ranks, foundPosition + 1, after);
            System.arraycopy(block.slots, foundPosition, block.slots, foundPosition + 1, after);
            block.to++;
        }
        block.ranks[foundPosition] = rank;
        block.slots[foundPosition] = slot;
    }

    private static boolean isFull(Block block) {
        return block.to - block.from == BLOCK;
    }

    /** Splits the block that was found: at its end if elements come in order, else in the middle. */
    private void split() {
        Block block = blocks[foundBlock];
        addBlock(foundBlock + 1);
        Block next = blocks[foundBlock + 1];
        int middle = foundPosition == BLOCK ? BLOCK : BLOCK / 2;
        next.from = 0;
        next.to = BLOCK - middle;
        System.arraycopy(block.ranks, middle, next.ranks, 0, next.to);
        System.arraycopy(block.slots, middle, next.slots, 0, next.to);
        block.to = middle;
        if (foundPosition > middle || middle == BLOCK) {
            foundBlock++;
            foundPosition -= middle;
        }
    }

    /** Puts an empty block at an index, which moves the found block if there is no room behind. */
    private void addBlock(int index) {
        int at = index;
        if (endBlock == blocks.length) {
            int count = endBlock - firstBlock;
            if (count > blocks.length / 2) {
                blocks = Arrays.copyOfRange(blocks, firstBlock, firstBlock + blocks.length * 2);
            } else {
                System.arraycopy(blocks, firstBlock, blocks, 0, count);
                Arrays.fill(blocks, count, endBlock, null);
            }
            at -= firstBlock;
            foundBlock -= firstBlock;
            firstBlock = 0;
            endBlock = count;
        }
        System.arraycopy(blocks, at, blocks, at + 1, endBlock - at);
        Block block = spareCount > 0 ? spares[--spareCount] : new Block();
        block.from = 0;
        block.to = 0;
        blocks[at] = block;
        endBlock++;
    }

    /** Takes elements while they are walked. */
    interface Taker {
        void take(Element element);
    }

    /** The element in the middle, of at least two. */
    Element middle(Element into) {
        int left = size / 2;
        int b = firstBlock;
        while (left >= blocks[b].to - blocks[b].from) {
            left -= blocks[b].to - blocks[b].from;
            b++;
        }
        return read(blocks[b].slots[blocks[b].from + left], into);
    }

    /** The element right before another one that is there, of which there must be one. */
    Element before(Element element, Element into) {
        find(element);
        Block block = blocks[foundBlock];
        if (foundPosition == block.from) {
            block = blocks[foundBlock - 1];
            return read(block.slots[block.to - 1], into);
        }
        return read(block.slots[foundPosition - 1], into);
    }

    /** The lowest rank above another one, of which there must be one. */
    long rankAbove(long rank) {
        for (int b = firstBlock; b < endBlock; b++) {
            Block block = blocks[b];
            if (block.ranks[block.to - 1] > rank) {
                int i = block.from;
                while (block.ranks[i] <= rank) {
                    i++;
                }
                return block.ranks[i];
            }
        }
        throw new IllegalArgumentException("expected a timer after " + rank + ", found none");
    }

    /** Hands out the elements from a bound on, smallest first, and removes them. */
    void takeFrom(Element bound, Element reused, Taker taker) {
        boolean isThere = find(bound);
        if (!isThere && foundBlock < endBlock && foundPosition == blocks[foundBlock].to) {
            foundBlock++;
            foundPosition = foundBlock < endBlock ? blocks[foundBlock].from : 0;
        }
        int b = foundBlock;
        int from = foundPosition;
        for (int at = b; at < endBlock; at++) {
            Block block = blocks[at];
            for (int i = at == b ? from : block.from; i < block.to; i++) {
                taker.take(read(block.slots[i], reused));
            }
        }
        while (endBlock > b + 1) {
            empty(blocks[endBlock - 1], blocks[endBlock - 1].from);
            dropIfEmpty(endBlock - 1);
        }
        if (endBlock > b) {
            empty(blocks[b], from);
            dropIfEmpty(b);
        }
    }

    private void empty(Block block, int from) {
        for (int i = from; i < block.to; i++) {
            gone(block.slots[i]);
        }
        block.to = from;
    }

    /** Hands out all elements of a key group after a map key, or all of them if that is null, in order. */
    void walk(int keyGroup, byte[] after, Element reused, Taker taker) {
        Element bound = after == null ? null : new Element().at(keyGroup, after, 0, after.length);
        for (int b = firstBlock; b < endBlock; b++) {
            Block block = blocks[b];
            for (int i = block.from; i < block.to; i++) {
                int slot = block.slots[i];
                if (pool.keyGroup(slot) == keyGroup && (bound == null || !isUpTo(block, i, bound.rank(), bound))) {
                    taker.take(read(slot, reused));
                }
            }
        }
    }

    /** Hands out all elements of all key groups, in order. */
    void walk(Element reused, Taker taker) {
        for (int b = firstBlock; b < endBlock; b++) {
            Block block = blocks[b];
            for (int i = block.from; i < block.to; i++) {
                taker.take(read(block.slots[i], reused));
            }
        }
    }

    /**
     * The slots of all elements, those of a key group together and in order. Those of group {@code g}, counted from the
     * first of the subtask, are the ones in {@code [ends[g - 1], ends[g])}.
     */
    int[] slotsByGroup(int[] ends) {
        for (int b = firstBlock; b < endBlock; b++) {
            Block block = blocks[b];
            for (int i = block.from; i < block.to; i++) {
                ends[pool.keyGroup(block.slots[i]) - keyGroupFrom]++;
            }
        }
        int start = 0;
        for (int group = 0; group < ends.length; group++) {
            int count = ends[group];
            ends[group] = start;
            start += count;
        }
        int[] slots = new int[size];
        for (int b = firstBlock; b < endBlock; b++) {
            Block block = blocks[b];
            for (int i = block.from; i < block.to; i++) {
                slots[ends[pool.keyGroup(block.slots[i]) - keyGroupFrom]++] = block.slots[i];
            }
        }
        return slots;
    }

    /** Key groups, counted from the first of the subtask, whose elements have changed since the set was cleared. */
    BitSet changed() {
        return changed;
    }
}
