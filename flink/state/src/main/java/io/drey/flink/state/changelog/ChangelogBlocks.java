package io.drey.flink.state.changelog;

import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.Memory;
import io.drey.store.block.BlockDecompressor;
import io.drey.store.block.BlockLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/** The raw bytes of sections, one after another: each block is read from the storage as a whole, and checked. */
final class ChangelogBlocks implements Closeable {
    /** A block of which compression saved nothing. */
    private static final int STORED_BYTES_MAX = BlockLayout.HEADER_BYTES + ChangelogWriter.RAW_BYTES;

    private final Iterator<Tuple2<StreamStateHandle, Long>> sections;
    private final Checksum checksum = new Checksum();
    private final BlockDecompressor decompressor = new BlockDecompressor();
    private final byte[] buffer = new byte[STORED_BYTES_MAX];
    private final long stored;
    private final long raw;
    private StreamStateHandle object;
    private FSDataInputStream in;
    private long sectionOffset;
    private long seed;
    private int sectionBytes;

    /** Bytes of the section that were read. */
    private int done;

    private int blockOffset;
    private int rawLength;
    private int position;
    private boolean closed;

    ChangelogBlocks(List<Tuple2<StreamStateHandle, Long>> sections) {
        this.sections = sections.iterator();
        this.stored = Memory.allocate(STORED_BYTES_MAX);
        this.raw = Memory.allocate(ChangelogWriter.RAW_BYTES);
    }

    boolean hasMore() throws IOException {
        while (position == rawLength) {
            if (done < sectionBytes) {
                nextBlock();
            } else if (sections.hasNext()) {
                nextSection(sections.next());
            } else {
                return false;
            }
        }
        return true;
    }

    private void nextSection(Tuple2<StreamStateHandle, Long> section) throws IOException {
        if (!section.f0.equals(object)) {
            closeStream();
            object = section.f0;
            in = object.openInputStream();
        }
        sectionOffset = section.f1;
        if (in.getPos() != sectionOffset) {
            in.seek(sectionOffset);
        }
        fetch(0, ChangelogSection.HEADER_BYTES, "the header of a section");
        ByteBuffer header = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
        seed = header.getLong();
        sectionBytes = header.getInt();
        done = 0;
        blockOffset = 0;
        int expected = checksum.of(buffer, 0, ChangelogSection.CHECKED_BYTES, 0);
        int found = header.getInt();
        if (found != expected) {
            throw damaged("the header of a section with checksum " + expected, "checksum " + found);
        }
    }

    private void nextBlock() throws IOException {
        blockOffset = done;
        int left = sectionBytes - done;
        fetch(0, BlockLayout.HEADER_BYTES, "a block");
        int payload = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN).getInt(BlockLayout.PAYLOAD_LENGTH_OFFSET);
        int payloadMax = Math.min(left, STORED_BYTES_MAX) - BlockLayout.HEADER_BYTES;
        if (payload < 0 || payload > payloadMax) {
            throw damaged("a block of at most " + payloadMax + " bytes", payload + " bytes");
        }
        int length = BlockLayout.HEADER_BYTES + payload;
        fetch(BlockLayout.HEADER_BYTES, payload, "a block");
        Memory.copy(buffer, 0, stored, length);
        decompressor
                .at(name() + ", section from " + sectionOffset + " on,", blockOffset)
                .check(stored, length, seed);
        if (decompressor.rawLength() > ChangelogWriter.RAW_BYTES) {
            throw damaged("a block of " + ChangelogWriter.RAW_BYTES + " bytes", decompressor.rawLength() + " bytes");
        }
        decompressor.decompress(raw);
        done += length;
        rawLength = decompressor.rawLength();
        position = 0;
    }

    private void fetch(int at, int length, String what) throws IOException {
        int found = in.readNBytes(buffer, at, length);
        if (found < length) {
            throw damaged(what, "the end of the file");
        }
    }

    /** The next byte. */
    int read() throws IOException {
        requireMore();
        return Memory.getByte(raw + position++) & 0xff;
    }

    /** The next bytes; a length that is none fails before there is an array for it, unless there are as many. */
    byte[] read(int length) throws IOException {
        byte[] bytes = new byte[Math.min(length, ChangelogWriter.RAW_BYTES)];
        for (int filled = 0; filled < length; ) {
            requireMore();
            if (filled == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * filled));
            }
            int part = Math.min(bytes.length - filled, rawLength - position);
            Memory.copy(raw + position, bytes, filled, part);
            position += part;
            filled += part;
        }
        return bytes;
    }

    /** Leaves out the next bytes. */
    void skip(int length) throws IOException {
        for (int left = length; left > 0; ) {
            requireMore();
            int part = Math.min(left, rawLength - position);
            position += part;
            left -= part;
        }
    }

    private void requireMore() throws IOException {
        if (!hasMore()) {
            throw damaged("the rest of a change", "the end of what the checkpoint lists");
        }
    }

    private String name() {
        return object.maybeGetPath().map(Object::toString).orElseGet(object::toString);
    }

    CorruptFileException damaged(String expected, String found) {
        return new CorruptFileException(
                name(), sectionOffset + ChangelogSection.HEADER_BYTES + blockOffset, expected, found);
    }

    private void closeStream() throws IOException {
        if (in != null) {
            in.close();
            in = null;
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            Memory.free(stored, STORED_BYTES_MAX);
            Memory.free(raw, ChangelogWriter.RAW_BYTES);
            closeStream();
        }
    }
}
