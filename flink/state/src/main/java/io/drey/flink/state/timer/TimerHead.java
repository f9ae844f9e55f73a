package io.drey.flink.state.timer;

import io.drey.store.MapScan;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * The smallest elements of a {@link TimerStore}, in memory, as bytes.
 *
 * <p>Invariants: what is cached is in the store; an element of the store that is not cached is larger than every cached
 * one; {@code complete} says that there is no such element. So the first cached element is the first of all, and an empty
 * cache must be filled from the store before it can answer, unless it is complete. What the store holds then lies after
 * the element that left the cache last, which spares the scan the entries deleted before it.
 */
final class TimerHead {
    private final TimerStore store;
    private final int sizeMax;
    private final TreeSet<byte[]> cache = new TreeSet<>(Arrays::compareUnsigned);
    private boolean complete;
    private byte[] lastGone;

    TimerHead(TimerStore store, int sizeMax) {
        this.store = store;
        this.sizeMax = sizeMax;
    }

    /** The smallest element, or null. */
    byte[] first() {
        if (cache.isEmpty() && !complete) {
            fill();
        }
        return cache.isEmpty() ? null : cache.first();
    }

    /** Adds an element, which may be there already. */
    void add(byte[] element) {
        byte[] first = first();
        boolean inRange = complete || (first != null && Arrays.compareUnsigned(element, cache.last()) < 0);
        if (!inRange) {
            store.add(element);
            return;
        }
        if (!cache.add(element)) {
            return;
        }
        store.add(element);
        if (cache.size() > sizeMax) {
            cache.pollLast();
            complete = false;
        }
    }

    /** Removes an element, which may not be there. */
    void remove(byte[] element) {
        boolean wasCached = cache.remove(element);
        if (wasCached || !complete) {
            store.remove(element);
        }
        if (wasCached && cache.isEmpty()) {
            lastGone = element;
        }
    }

    /** The number of all elements, counted in the store if not all are cached. */
    int size() {
        if (complete) {
            return cache.size();
        }
        int size = 0;
        MapScan scan = store.scan(null);
        while (scan.next()) {
            size++;
        }
        return size;
    }

    private void fill() {
        MapScan scan = store.scan(lastGone);
        boolean more = scan.next();
        while (more && cache.size() < sizeMax) {
            cache.add(Arrays.copyOfRange(scan.bytes(), scan.keyOffset(), scan.keyOffset() + scan.keyLength()));
            more = scan.next();
        }
        complete = !more;
    }
}
