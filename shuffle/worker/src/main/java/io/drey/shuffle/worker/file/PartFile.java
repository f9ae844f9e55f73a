package io.drey.shuffle.worker.file;

import java.nio.file.Path;
import java.util.Arrays;

/**
 * One file of a partition and the complete regions in it. Readers of the list and its writer may be of several threads:
 * its methods lock, once a region.
 */
public final class PartFile {
    private final long id;
    private final Path path;
    private final int part;
    private int count;
    private volatile boolean released;
    private int[] regions = new int[4];
    private long[] offsets = new long[4];
    private long[] lengths = new long[4];

    /**
     * @param id orders files as they were begun
     * @param part its number among the files of the partition
     */
    public PartFile(long id, Path path, int part) {
        this.id = id;
        this.path = path;
        this.part = part;
    }

    public long id() {
        return id;
    }

    public Path path() {
        return path;
    }

    public int part() {
        return part;
    }

    /** Adds a region that is complete in the file. */
    public synchronized void add(int region, long offset, long length) {
        if (count == regions.length) {
            regions = Arrays.copyOf(regions, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
        }
        regions[count] = region;
        offsets[count] = offset;
        lengths[count++] = length;
    }

    /** How many regions are complete. */
    public synchronized int regions() {
        return count;
    }

    /** The place of a region among the complete ones, or -1. */
    public synchronized int find(int region) {
        for (int i = count - 1; i >= 0; i--) {
            if (regions[i] == region) {
                return i;
            }
        }
        return -1;
    }

    public synchronized long offset(int place) {
        return offsets[place];
    }

    public synchronized long length(int place) {
        return lengths[place];
    }

    /** Its partition is released: it will be deleted, and must not be created any more. */
    public void release() {
        released = true;
    }

    public boolean isReleased() {
        return released;
    }

    /** Where the last complete region ends. */
    public synchronized long end() {
        long end = 0;
        for (int i = 0; i < count; i++) {
            end = Math.max(end, offsets[i] + lengths[i]);
        }
        return end;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
