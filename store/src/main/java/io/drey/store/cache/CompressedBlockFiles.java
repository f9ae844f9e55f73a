package io.drey.store.cache;

import java.util.Arrays;

/**
 * The files of which a {@link CompressedBlockCache} has something, and how much; few. One thread; allocates only for a
 * new file.
 */
final class CompressedBlockFiles {
    private long[] files = new long[16];
    private long[] bytes = new long[16];
    private int count;
    private long deadBytes;

    /** Bytes of entries whose files are gone. */
    long deadBytes() {
        return deadBytes;
    }

    /** Whether a file is known, so that its entries are alive. */
    boolean isAlive(long file) {
        return Arrays.binarySearch(files, 0, count, file) >= 0;
    }

    /** An entry of a file came. */
    void added(long file, int size) {
        int i = Arrays.binarySearch(files, 0, count, file);
        if (i < 0) {
            i = -i - 1;
            insert(i, file);
        }
        bytes[i] += size;
    }

    private void insert(int at, long file) {
        if (count == files.length) {
            files = Arrays.copyOf(files, count * 2);
            bytes = Arrays.copyOf(bytes, count * 2);
        }
        System.arraycopy(files, at, files, at + 1, count - at);
        System.arraycopy(bytes, at, bytes, at + 1, count - at);
        files[at] = file;
        bytes[at] = 0;
        count++;
    }

    /** An entry left; whether it was alive. */
    boolean removed(long file, int size) {
        int i = Arrays.binarySearch(files, 0, count, file);
        if (i < 0) {
            deadBytes -= size;
            assert deadBytes >= 0;
        } else {
            bytes[i] -= size;
            assert bytes[i] >= 0;
        }
        return i >= 0;
    }

    /** A file is gone; its name never comes again. */
    void forget(long file) {
        int i = Arrays.binarySearch(files, 0, count, file);
        if (i >= 0) {
            deadBytes += bytes[i];
            count--;
            System.arraycopy(files, i + 1, files, i, count - i);
            System.arraycopy(bytes, i + 1, bytes, i, count - i);
        }
    }
}
