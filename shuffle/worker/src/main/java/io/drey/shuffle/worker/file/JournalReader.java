package io.drey.shuffle.worker.file;

import io.drey.foundation.CorruptFileException;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.worker.disk.WorkerFile;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the records of a journal, some of which may be damaged: each by itself says what is so. Behind one whose length
 * may be what is damaged, the next one is looked for at each byte.
 */
final class JournalReader {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReader.class);

    static final int RECORD_HEADER_BYTES = 8;

    /** More than a commit message of the largest size and all places that it may have. */
    private static final int RECORD_BYTES_MAX = 4 << 20;

    /** Bytes of a read, unless a record is longer. */
    private static final int READ_BYTES = 64 << 10;

    private final Path path;
    private final WorkerFile file;
    private final long size;
    private ByteBuffer in = ByteBuffer.allocate(0);
    private long inAt;

    JournalReader(Path path, WorkerFile file, long size) {
        this.path = path;
        this.file = file;
        this.size = size;
    }

    /** Hands out the sound records from a byte on; tells where the last one ends. */
    long read(long from, Consumer<JournalRecord> records) throws IOException {
        long end = from;
        long at = from;
        while (at < size - RECORD_HEADER_BYTES) {
            int length = length(at);
            int body = index(at, RECORD_HEADER_BYTES + length) + RECORD_HEADER_BYTES;
            if (length == 0 || crc(in.array(), body, length) != in.getInt(body - 4)) {
                at++;
                continue;
            }
            if (end < at) {
                LOG.error(
                        "Bytes {} to {} of {} are damaged: what was committed or released there is not known any more,"
                                + " and is produced again if it is needed. Look after the disk.",
                        end,
                        at - 1,
                        path);
            }
            records.accept(record(at, body, length));
            at += RECORD_HEADER_BYTES + length;
            end = at;
        }
        return end;
    }

    /** How long the record at a byte says that it is; 0, as none is, if it cannot be so long. */
    private int length(long at) throws IOException {
        long most = Math.min(RECORD_BYTES_MAX, size - at - RECORD_HEADER_BYTES);
        int from = index(at, RECORD_HEADER_BYTES);
        int length = in.getInt(from);
        return length < 0 || length > most ? 0 : length;
    }

    /** Where bytes of the file are in the buffer: read now or before. */
    private int index(long at, int count) throws IOException {
        if (at + count > inAt + in.limit()) {
            int bytes = (int) Math.min(size - at, Math.max(count, READ_BYTES));
            in = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            inAt = at;
            file.read(at, new ByteBuffer[] {in}, 1);
        }
        return (int) (at - inAt);
    }

    private JournalRecord record(long at, int from, int length) {
        try {
            return JournalRecord.read(
                    new FieldReader(path + " at byte " + at, Unpooled.wrappedBuffer(in.array(), from, length)));
        } catch (ProtocolException e) {
            throw new CorruptFileException(path.toString(), at, "a record", e.getMessage());
        }
    }

    static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
