package io.drey.shuffle.worker.file;

import io.drey.foundation.FileVersionException;
import io.drey.shuffle.protocol.frame.FieldWriter;
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
import java.util.Locale;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of a job in one directory: it alone says what is committed there. Records are appended; numbers little
 * endian. A torn one at the end was never acknowledged, and is cut off; one that is damaged among others is skipped.
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
        WorkerFile file = disk.openToChange(path);
        boolean opened = false;
        try {
            long end = read(path, file, records);
            if (end < file.size()) {
                LOG.warn("{} bytes from byte {} of {} on are no records, and cut off.", file.size() - end, end, path);
                file.truncate(end);
            }
            opened = true;
            return new CommitJournal(file, end);
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    private static long read(Path path, WorkerFile file, Consumer<JournalRecord> records) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (file.read(0, new ByteBuffer[] {header}, 1) < HEADER_BYTES || isTorn(header)) {
            LOG.warn(
                    "{} does not begin as a journal: the disk was full, or the machine went down. Its commits are lost.",
                    path);
            return 0;
        }
        if (header.get(5) != VERSION) {
            throw new FileVersionException(
                    path.toString(),
                    "a journal of version " + VERSION,
                    String.format(Locale.ROOT, "%016x", header.getLong(0)));
        }
        return new JournalReader(path, file, file.size()).read(HEADER_BYTES, records);
    }

    /** Whether these are no bytes of any version: a journal is never begun with others. */
    private static boolean isTorn(ByteBuffer in) {
        return in.getInt(0) != MAGIC || in.get(4) != KIND || in.get(5) == 0 || in.getShort(6) != 0;
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
            int from = header + JournalReader.RECORD_HEADER_BYTES;
            int length = out.writerIndex() - from;
            out.setIntLE(header, length)
                    .setIntLE(header + 4, JournalReader.crc(out.array(), out.arrayOffset() + from, length));
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
