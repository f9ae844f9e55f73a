package io.drey.flink.state.metric;

import io.drey.store.entry.EntryKey;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the operations on one state. The task's thread counts, in plain fields; reporters read them as they are,
 * so that they may see a count that is a moment old, and on no machine that Drey supports a torn one.
 *
 * <p>About one operation of {@value #SAMPLE_INTERVAL} is a sample: its time and sizes go into histograms. The distance
 * between two samples is random, so that a fixed pattern of operations does not hide some of them. Hot path: an
 * addition or two, no allocation.
 *
 * <p>An operation is counted like this:
 *
 * <pre>
 *   long began = counters.begin();
 *   boolean found = ...;
 *   counters.got(began, found, key, valueBytes);
 * </pre>
 */
public final class StateCounters {
    /** Operations between two samples, on average. */
    static final int SAMPLE_INTERVAL = 1024;

    /** What {@link #begin} answers for an operation that is no sample. */
    private static final long NO_SAMPLE = 0;

    final SampledHistogram getNanos = new SampledHistogram();
    final SampledHistogram putNanos = new SampledHistogram();
    final SampledHistogram deleteNanos = new SampledHistogram();
    final SampledHistogram seekNanos = new SampledHistogram();
    final SampledHistogram nextNanos = new SampledHistogram();
    final SampledHistogram keyBytes = new SampledHistogram();
    final SampledHistogram valueBytes = new SampledHistogram();

    private long getHits;
    private long getAbsents;
    private long puts;
    private long deletes;
    private long seeks;
    private long nexts;
    private long writeBacks;

    /** Counted by background threads. */
    private final LongAdder listsUnreadable = new LongAdder();

    private int untilSample = SAMPLE_INTERVAL;
    private int random = 0x9E3779B9;

    /** Begins an operation; the answer goes into the call that ends it. */
    public long begin() {
        return --untilSample > 0 ? NO_SAMPLE : beginSample();
    }

    private long beginSample() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        untilSample = 1 + (random & (2 * SAMPLE_INTERVAL - 1));
        return now();
    }

    /** The time, never {@link #NO_SAMPLE}. */
    private static long now() {
        return System.nanoTime() | 1;
    }

    /** A read of one entry ends. */
    public void got(long began, boolean found, EntryKey key, int valueLength) {
        countGet(found);
        if (began != NO_SAMPLE) {
            sample(getNanos, began, key);
            if (found) {
                valueBytes.update(valueLength);
            }
        }
    }

    /** A write of one entry, or an addition to a list, ends. */
    public void put(long began, EntryKey key, int valueLength) {
        puts++;
        wrote(began, key, valueLength);
    }

    /** The removal of an entry or of a map ends. */
    public void deleted(long began, EntryKey key) {
        deletes++;
        if (began != NO_SAMPLE) {
            sample(deleteNanos, began, key);
        }
    }

    /** The search for the first entry of a map ends. */
    public void sought(long began, EntryKey group) {
        seeks++;
        if (began != NO_SAMPLE) {
            sample(seekNanos, began, group);
        }
    }

    /** A step to the next entry of a map, or to its end, ends. */
    public void stepped(long began) {
        nexts++;
        if (began != NO_SAMPLE) {
            nextNanos.update(now() - began);
        }
    }

    /** A read was answered by the object cache. */
    public void gotCached(boolean found) {
        countGet(found);
    }

    private void countGet(boolean found) {
        if (found) {
            getHits++;
        } else {
            getAbsents++;
        }
    }

    /** A write went into the object cache only. */
    public void putCached() {
        puts++;
    }

    /** A removal of what only the object cache has. */
    public void deletedCached() {
        deletes++;
    }

    /** A value of the object cache was written to the store. */
    public void wroteBack(long began, EntryKey key, int valueLength) {
        writeBacks++;
        wrote(began, key, valueLength);
    }

    /** A list was met whose time to live cannot be read. Any thread. */
    public void foundListUnreadable() {
        listsUnreadable.increment();
    }

    private void wrote(long began, EntryKey key, int valueLength) {
        if (began != NO_SAMPLE) {
            sample(putNanos, began, key);
            valueBytes.update(valueLength);
        }
    }

    private void sample(SampledHistogram nanos, long began, EntryKey key) {
        nanos.update(now() - began);
        keyBytes.update(key.bodyLength());
    }

    public long getHits() {
        return getHits;
    }

    public long getAbsents() {
        return getAbsents;
    }

    public long puts() {
        return puts;
    }

    public long deletes() {
        return deletes;
    }

    public long writeBacks() {
        return writeBacks;
    }

    public long seeks() {
        return seeks;
    }

    public long nexts() {
        return nexts;
    }

    public long listsUnreadable() {
        return listsUnreadable.sum();
    }
}
