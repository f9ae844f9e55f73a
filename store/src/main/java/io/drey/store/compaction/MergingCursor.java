package io.drey.store.compaction;

import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.block.BlockLayout;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.run.RunMemory;
import java.util.Arrays;

/**
 * One cursor over many, in order, each key once: what the younger inputs leave of the older ones. Reusable:
 * {@link #begin}, {@link #addOlder} for each input, {@link #next} until done, {@link #close}, which closes the inputs.
 *
 * <ol>
 *   <li>A heap of the inputs, by the key they stand on and then by age, gives the smallest key and, youngest first, the
 *       inputs that stand on it; the others of them follow as long as their key is equal.
 *   <li>The youngest VALUE or tombstone ends what counts; appends before it are put behind its value, oldest first. At
 *       the bottom nothing is below the last input, so appends alone are a value, and tombstones are left out.
 *   <li>A row tombstone of input i comes before all entries of its row and hides those of inputs older than i. It is
 *       itself kept, once, unless at the bottom. In its row, nothing is below input i.
 * </ol>
 *
 * The entries that make up the current one stay stood upon until the next step, so a single value is not copied, nor
 * read from its value log unless asked for. Large ones whose turn has not come are let go: their inputs may be many. A POINTER counts as the VALUE that it points to, a COMPRESSED as that which
 * it was, and is passed on as it is; nothing is ever appended to one, as values of lists are neither separated nor
 * compressed.
 */
public final class MergingCursor implements EntryCursor {
    static final int END = 0;
    static final int ENTRY = 1;
    static final int NOTHING = 2;

    /** {@link #hidden} when no row tombstone is in force. */
    private static final int NOTHING_HIDDEN = Integer.MAX_VALUE;

    private final Scratch combined;
    private final Bytes hiddenRow = new Bytes();
    private EntryCursor[] inputs = new EntryCursor[8];

    /** The beginning of the key that each input stands on, and its hash: compared again and again. */
    private long[] prefixes = new long[8];

    private long[] hashes = new long[8];

    /** Numbers of inputs that stand on an entry, as a binary heap. */
    private int[] heap = new int[8];

    /** Numbers of the inputs that stand on the current key, youngest first; not in the heap. */
    private int[] current = new int[8];

    private int inputCount;
    private int heapSize;
    private int currentCount;
    private boolean bottom;
    private boolean started;

    /** The youngest input with a tombstone of the row {@link #hiddenRow}; older ones have no say there. */
    private int hidden = NOTHING_HIDDEN;

    private long hiddenHash;
    private long hiddenPrefix;
    private EntryCursor head;
    private long headPrefix;
    private long headHash;

    /** Whose value is the current one, or null if it was put together. */
    private EntryCursor only;

    private byte kind;
    private long valueAddress;
    private int valueLength;

    public MergingCursor(RunMemory memory) {
        combined = new Scratch(memory.arena(), memory.overdraft());
    }

    /**
     * Starts anew, without inputs. At the bottom nothing older is below: tombstones are dropped, appends are values.
     */
    public void begin(boolean newBottom) {
        close();
        bottom = newBottom;
    }

    /** Takes over an input that is older than all inputs so far; null is an input without entries. */
    public void addOlder(EntryCursor input) {
        assert !started;
        if (input == null) {
            return;
        }
        if (inputCount == inputs.length) {
            inputs = Arrays.copyOf(inputs, inputCount * 2);
            prefixes = Arrays.copyOf(prefixes, inputCount * 2);
            hashes = Arrays.copyOf(hashes, inputCount * 2);
            heap = Arrays.copyOf(heap, inputCount * 2);
            current = Arrays.copyOf(current, inputCount * 2);
        }
        inputs[inputCount++] = input;
        // It may stand before an entry already, as others will.
        input.letGo();
    }

    @Override
    public boolean next() {
        int found;
        do {
            found = nextKey();
        } while (found == NOTHING);
        return found == ENTRY;
    }

    /** Goes one key further: {@link #ENTRY}, {@link #NOTHING} if nothing is left of that key, or {@link #END}. */
    int nextKey() {
        combined.trim();
        start();
        advance();
        if (heapSize == 0) {
            return END;
        }
        gather();
        return resolve() ? ENTRY : NOTHING;
    }

    /** All inputs are due for their first step, as if they had stood on the key before the first. */
    private void start() {
        if (!started) {
            started = true;
            for (int i = 0; i < inputCount; i++) {
                current[i] = i;
            }
            currentCount = inputCount;
        }
    }

    /** Steps the inputs that stood on the last key and puts them back into the heap. */
    private void advance() {
        for (int i = 0; i < currentCount; i++) {
            int input = current[i];
            EntryCursor entry = inputs[input];
            if (entry.next()) {
                hashes[input] = entry.rowHash();
                prefixes[input] = EntryKey.prefix(entry.table(), entry.keyGroup(), hashes[input]);
                if (inputCount > 1) {
                    entry.letGo();
                }
                push(input);
            }
        }
        currentCount = 0;
    }

    /** Takes the inputs that stand on the smallest key from the heap. */
    private void gather() {
        int first = heap[0];
        head = inputs[first];
        headPrefix = prefixes[first];
        headHash = hashes[first];
        do {
            current[currentCount++] = pop();
        } while (heapSize > 0 && compareKeys(heap[0], first) == 0);
    }

    /** Makes one entry of those of the current key; false if nothing is left of them. */
    private boolean resolve() {
        if (hidden != NOTHING_HIDDEN && !isInHiddenRow()) {
            hidden = NOTHING_HIDDEN;
        }
        int appends = 0;
        byte last = 0;
        for (int i = 0; i < currentCount && last == 0; i++) {
            int input = current[i];
            if (input > hidden) {
                break;
            }
            byte inputKind = inputs[input].kind();
            if (inputKind == EntryKind.APPEND) {
                appends++;
            } else {
                last = inputKind;
            }
        }
        boolean isRowTombstone = hideBehindRowTombstones();
        if (isRowTombstone && appends == 0 && !EntryKind.isWhole(last)) {
            return keep(EntryKind.ROW_TOMBSTONE);
        }
        boolean nothingBelow = bottom || hidden != NOTHING_HIDDEN;
        if (EntryKind.isWhole(last)) {
            return combine(last, appends + 1);
        }
        if (appends > 0) {
            return combine(nothingBelow || last != 0 ? EntryKind.VALUE : EntryKind.APPEND, appends);
        }
        return !nothingBelow && last == EntryKind.TOMBSTONE && keep(last);
    }

    private boolean keep(byte tombstone) {
        kind = tombstone;
        only = null;
        valueAddress = 0;
        valueLength = 0;
        return !bottom;
    }

    /**
     * Makes the value of the entries of the youngest {@code count} inputs, which are as many appends and maybe a value.
     */
    private boolean combine(byte newKind, int count) {
        kind = newKind;
        if (count == 1) {
            only = inputs[current[0]];
            return true;
        }
        only = null;
        if (newKind != EntryKind.VALUE && newKind != EntryKind.APPEND) {
            throw new IllegalStateException(
                    "expected nothing appended to a separated or compressed value, found that in table " + table());
        }
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += inputs[current[i]].valueLength();
        }
        if (bytes > BlockLayout.RAW_BYTES_MAX) {
            throw new DreyException("expected lists of less than 2 GB, found one of " + bytes + " bytes in table "
                    + table() + ": spread it over more keys");
        }
        valueAddress = combined.reserveAnew((int) bytes);
        valueLength = 0;
        for (int i = count - 1; i >= 0; i--) {
            EntryCursor part = inputs[current[i]];
            Memory.copy(part.valueAddress(), valueAddress + valueLength, part.valueLength());
            valueLength += part.valueLength();
            part.letGo();
        }
        return true;
    }

    /** If the current key has a row tombstone, all inputs older than the youngest of these have no say in the row. */
    private boolean hideBehindRowTombstones() {
        boolean found = false;
        for (int i = 0; i < currentCount && current[i] < hidden; i++) {
            if (inputs[current[i]].kind() == EntryKind.ROW_TOMBSTONE) {
                found = true;
                hidden = current[i];
                hiddenPrefix = headPrefix;
                hiddenHash = headHash;
                hiddenRow.clear();
                hiddenRow.append(head.bodyAddress(), head.rowLength());
            }
        }
        return found;
    }

    private boolean isInHiddenRow() {
        return headHash == hiddenHash
                && headPrefix == hiddenPrefix
                && head.rowLength() == hiddenRow.length()
                && Memory.equal(head.bodyAddress(), hiddenRow.array(), 0, hiddenRow.length());
    }

    private void push(int input) {
        int at = heapSize++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!isBefore(input, heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = input;
    }

    private int pop() {
        int top = heap[0];
        int moved = heap[--heapSize];
        int at = 0;
        for (int child = 1; child < heapSize; child = 2 * at + 1) {
            if (child + 1 < heapSize && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], moved)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = moved;
        return top;
    }

    private boolean isBefore(int a, int b) {
        int order = compareKeys(a, b);
        return order != 0 ? order < 0 : a < b;
    }

    private int compareKeys(int a, int b) {
        if (prefixes[a] != prefixes[b]) {
            return Long.compareUnsigned(prefixes[a], prefixes[b]);
        }
        if (hashes[a] != hashes[b]) {
            return Long.compareUnsigned(hashes[a], hashes[b]);
        }
        EntryCursor x = inputs[a];
        EntryCursor y = inputs[b];
        return Memory.compare(x.bodyAddress(), x.bodyLength(), y.bodyAddress(), y.bodyLength());
    }

    @Override
    public int table() {
        return (int) (headPrefix >>> 48);
    }

    @Override
    public int keyGroup() {
        return (int) (headPrefix >>> 32) & 0xffff;
    }

    @Override
    public long rowHash() {
        return headHash;
    }

    @Override
    public long bodyAddress() {
        return head.bodyAddress();
    }

    @Override
    public int bodyLength() {
        return head.bodyLength();
    }

    @Override
    public int rowLength() {
        return head.rowLength();
    }

    @Override
    public byte kind() {
        return kind;
    }

    @Override
    public long valueAddress() {
        return only == null ? valueAddress : only.valueAddress();
    }

    @Override
    public int valueLength() {
        return only == null ? valueLength : only.valueLength();
    }

    /** Closes the inputs and gives back all memory; {@link #begin} makes the cursor usable again. */
    @Override
    public void close() {
        for (int i = 0; i < inputCount; i++) {
            inputs[i].close();
            inputs[i] = null;
        }
        inputCount = 0;
        heapSize = 0;
        currentCount = 0;
        started = false;
        hidden = NOTHING_HIDDEN;
        head = null;
        only = null;
        combined.close();
    }
}
