package io.drey.files.memory;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The bytes of one file of a {@link MemoryDirectory}, and how many of them would survive a crash. */
final class MemoryFile {
    private byte[] bytes = new byte[64];
    private int length;
    private int unwritten;
    private int synced;
    private boolean everSynced;

    /** Makes a new file that long, of zeros, which take no space yet. */
    synchronized void stretch(long to) {
        bytes = new byte[Math.toIntExact(to)];
        length = (int) to;
        unwritten = length;
    }

    synchronized void write(String file, long position, ByteBuffer from) throws IOException {
        if (position < 0 || position + from.remaining() > length) {
            throw new EOFException("expected to write within " + length + " bytes of " + file + ", found "
                    + from.remaining() + " bytes at " + position);
        }
        unwritten = Math.max(0, unwritten - from.remaining());
        from.get(bytes, (int) position, from.remaining());
    }

    /** What of it takes space. */
    synchronized int written() {
        return length - unwritten;
    }

    synchronized int length() {
        return length;
    }

    synchronized void append(ByteBuffer from, int count) {
        int wanted = Math.addExact(length, count);
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(wanted, 2L * bytes.length)));
        }
        from.get(bytes, length, count);
        length = wanted;
    }

    synchronized void read(String file, long position, ByteBuffer into) throws IOException {
        if (position < 0 || position + into.remaining() > length) {
            throw new EOFException("expected " + into.remaining() + " bytes at " + position + " of " + file
                    + ", found only " + length + " bytes in it");
        }
        into.put(bytes, (int) position, into.remaining());
    }

    synchronized void sync() {
        synced = length;
        everSynced = true;
    }

    synchronized void flip(long bit) {
        if (bit < 0 || bit >= 8L * length) {
            throw new IllegalArgumentException("expected a bit below " + 8L * length + ", found " + bit);
        }
        bytes[(int) (bit >>> 3)] ^= (byte) (1 << (bit & 7));
    }

    synchronized byte[] content() {
        return Arrays.copyOf(bytes, length);
    }

    /** What a crash leaves of the file, or null if not even its name. */
    synchronized MemoryFile survivor(SplittableRandom random) {
        if (!everSynced && random.nextBoolean()) {
            return null;
        }
        MemoryFile left = new MemoryFile();
        int unsynced = length - synced;
        int kept = switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> unsynced;
            default -> random.nextInt(unsynced + 1);
        };
        left.bytes = Arrays.copyOf(bytes, Math.max(64, synced + kept));
        left.length = synced + kept;
        left.synced = left.length;
        left.everSynced = true;
        boolean torn = kept > 0 && random.nextBoolean();
        if (torn) {
            // The size reached the disk, the last of the bytes did not.
            int from = synced + random.nextInt(kept);
            Arrays.fill(left.bytes, from, left.length, (byte) 0);
        }
        return left;
    }
}
