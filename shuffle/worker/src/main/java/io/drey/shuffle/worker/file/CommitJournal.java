package io.drey.shuffle.worker.file;

import io.drey.foundation.CorruptFileException;
import io.drey.foundation.FileVersionException;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of a job in one directory: it alone says what is committed there. Records are appended; numbers little
 * endian. A torn one at the end was never acknowledged, and is cut off.
 *
 * <pre>
 *   0      4     5         6          8            12       16
 *  +------+-----+---------+----------+------------+--------+--------+
 *  | DREY | 'J' | version | reserved | length     | CRC32C | fields | per record: length, CRC32C and fields
 *  +------+-----+---------+----------+------------+--------+--------+
 * </pre>
 */
public final class CommitJournal implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitJournal.class);

    public static final String NAME = "commits.journal";

    private static final int MAGIC = 'D' | 'R' << 8 | 'E' << 16 | 'Y' << 24;
    private static final byte KIND = 'J';
    private static final byte VERSION = 1;
    private static final int HEADER_BYTES = 8;
    private static final int RECORD_HEADER_BYTES = 8;

    private final WorkerFile file;
    private long end;

    private CommitJournal(WorkerFile file, long end) {
        this.file = file;
        this.end = end;
    }

    /** Begins the journal of a job; its header comes with the first record. */
    public static CommitJournal create(WorkerDisk disk, Path path) throws IOException {
        return new CommitJournal(disk.create(path), 0);
    }

    /** Opens a journal that is there; hands out its sound records, and cuts off what follows them. Needs no space. */
    public static CommitJournal open(WorkerDisk disk, Path path, Consumer<JournalRecord> records) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(WorkerFile.readAll(disk, path)).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        if (in.limit() < HEADER_BYTES || isTorn(in)) {
            LOG.warn(
                    "{} does not begin as a journal: the disk was full, or the machine went down. Its commits are lost.",
                    path);
        } else if (in.get(5) != VERSION) {
            throw new FileVersionException(
                    path.toString(), "a journal of version " + VERSION, "%016x".formatted(in.getLong(0)));
        } else {
            at = HEADER_BYTES;
            for (int next = record(path, in, at, records); next > at; next = record(path, in, at, records)) {
                at = next;
            }
        }
        WorkerFile file = disk.open(path);
        file.truncate(at);
        return new CommitJournal(file, at);
    }

    /** Whether these are no bytes of any version: a journal is never begun with others. */
    private static boolean isTorn(ByteBuffer in) {
        return in.getInt(0) != MAGIC || in.get(4) != KIND || in.get(5) == 0 || in.getShort(6) != 0;
    }

    /** The end of the record that begins at a byte, or the same byte if there is no sound one. */
    private static int record(Path path, ByteBuffer in, int at, Consumer<JournalRecord> records) {
        if (in.limit() - at < RECORD_HEADER_BYTES) {
            return at;
        }
        int length = in.getInt(at);
        int from = at + RECORD_HEADER_BYTES;
        if (length < 0 || length > in.limit() - from || crc(in.array(), from, length) != in.getInt(at + 4)) {
            return at;
        }
        ByteBuf body = Unpooled.wrappedBuffer(in.array(), from, length);
        try {
            records.accept(JournalRecord.read(new FieldReader(path + " at byte " + at, body)));
        } catch (ProtocolException e) {
            throw new CorruptFileException(path.toString(), at, "a record", e.getMessage());
        }
        return from + length;
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** Appends records; if that fails, none of them is there. */
    public void append(List<JournalRecord> records) throws IOException {
        ByteBuf out = Unpooled.buffer();
        if (end == 0) {
            out.writeIntLE(MAGIC).writeByte(KIND).writeByte(VERSION).writeShort(0);
        }
        for (JournalRecord record : records) {
            int header = out.writerIndex();
            out.writeLong(0);
            record.write(new FieldWriter(out));
            int from = header + RECORD_HEADER_BYTES;
            int length = out.writerIndex() - from;
            out.setIntLE(header, length).setIntLE(header + 4, crc(out.array(), out.arrayOffset() + from, length));
        }
        int bytes = out.readableBytes();
        try {
            file.append(end, new ByteBuffer[] {out.nioBuffer()}, 1);
        } catch (IOException e) {
            file.truncate(end);
            throw e;
        }
        end += bytes;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
