package io.drey.store;

import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.foundation.FileVersionException;
import io.drey.store.entry.TableInfo;
import io.drey.store.entry.TableKind;
import io.drey.store.run.RunInfo;
import io.drey.store.run.RunView;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a store image, big endian.
 *
 * <pre>
 *  long magic "DREYIMG\0" | int version | int key group from | int key group to
 *  int tables  { int number | byte kind | string name }
 *  int young   { part }
 *  int levels  { int parts { part } }
 *  int logs    { string file | long bytes }
 *  int CRC32C of all before
 *
 *  part:   string file | long bytes | int key group from | int to | long prefix from | long prefix to
 *  string: int bytes | UTF-8
 * </pre>
 */
final class ImageLayout {
    static final long MAGIC = 0x44524559494D4700L;
    static final int VERSION = 1;
    private static final String NAME = "store image";
    private static final int CHECKSUM_BYTES = 4;
    private static final int HEADER_BYTES = 12;
    private static final int PART_BYTES_MIN = 36;
    private static final int LOG_BYTES_MIN = 12;

    private ImageLayout() {}

    static byte[] encode(StoreImage image) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeLong(MAGIC);
            out.writeInt(VERSION);
            out.writeInt(image.keyGroupFrom());
            out.writeInt(image.keyGroupTo());
            out.writeInt(image.tables().size());
            for (TableInfo table : image.tables()) {
                out.writeInt(table.number());
                out.writeByte(table.kind().code());
                writeString(out, table.name());
            }
            writeParts(out, image.young());
            out.writeInt(image.levels().size());
            for (List<StoreImage.Part> level : image.levels()) {
                writeParts(out, level);
            }
            out.writeInt(image.logs().size());
            for (StoreImage.FileInfo log : image.logs()) {
                writeString(out, log.name());
                out.writeLong(log.bytes());
            }
            byte[] body = bytes.toByteArray();
            out.writeInt(new Checksum().of(body, 0, body.length, MAGIC));
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new IllegalStateException("expected to write into memory", e);
        }
    }

    private static void writeParts(DataOutputStream out, List<StoreImage.Part> parts) throws IOException {
        out.writeInt(parts.size());
        for (StoreImage.Part part : parts) {
            writeString(out, part.file().name());
            out.writeLong(part.file().bytes());
            out.writeInt(part.keyGroupFrom());
            out.writeInt(part.keyGroupTo());
            out.writeLong(part.prefixFrom());
            out.writeLong(part.prefixTo());
        }
    }

    private static void writeString(DataOutputStream out, String value) throws IOException {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static StoreImage decode(byte[] bytes) {
        checkHeader(bytes);
        int bodyBytes = bytes.length - CHECKSUM_BYTES;
        int expected = new Checksum().of(bytes, 0, bodyBytes, MAGIC);
        int found = ByteBuffer.wrap(bytes).getInt(bodyBytes);
        if (found != expected) {
            throw new CorruptFileException(
                    NAME, bodyBytes, "checksum " + Integer.toHexString(expected), Integer.toHexString(found));
        }
        try {
            return read(ByteBuffer.wrap(bytes, HEADER_BYTES, bodyBytes - HEADER_BYTES));
        } catch (BufferUnderflowException e) {
            throw new DreyException(
                    "expected a whole store image, found one that ends early: restore from another one", e);
        }
    }

    private static void checkHeader(byte[] bytes) {
        if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) {
            throw new CorruptFileException(
                    NAME, 0, "at least " + (HEADER_BYTES + CHECKSUM_BYTES) + " bytes", bytes.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long magic = in.getLong();
        if (magic != MAGIC) {
            throw new CorruptFileException(NAME, 0, Long.toHexString(MAGIC), Long.toHexString(magic));
        }
        int version = in.getInt();
        if (version != VERSION) {
            throw new FileVersionException(NAME, "format version " + VERSION, "version " + version);
        }
    }

    private static StoreImage read(ByteBuffer in) {
        int keyGroupFrom = in.getInt();
        int keyGroupTo = in.getInt();
        int tableCount = in.getInt();
        List<TableInfo> tables = new ArrayList<>();
        for (int i = 0; i < tableCount; i++) {
            int number = in.getInt();
            TableKind kind = TableKind.of(in.get());
            if (kind == null) {
                throw new CorruptFileException(NAME, in.position(), "a kind of table", "none");
            }
            tables.add(new TableInfo(number, readString(in), kind));
        }
        List<StoreImage.Part> young = readParts(in);
        int levelCount = in.getInt();
        List<List<StoreImage.Part>> levels = new ArrayList<>();
        for (int i = 0; i < levelCount; i++) {
            levels.add(readParts(in));
        }
        return new StoreImage(keyGroupFrom, keyGroupTo, tables, young, levels, readLogs(in));
    }

    private static List<StoreImage.FileInfo> readLogs(ByteBuffer in) {
        int count = count(in, LOG_BYTES_MIN);
        List<StoreImage.FileInfo> logs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            logs.add(new StoreImage.FileInfo(readString(in), in.getLong()));
        }
        return logs;
    }

    /** A number of things of at least so many bytes each, which the image must have. */
    private static int count(ByteBuffer in, int bytesMin) {
        int count = in.getInt();
        if (count < 0 || (long) count * bytesMin > in.remaining()) {
            throw new CorruptFileException(NAME, in.position(), "no more than fits the image", count + "");
        }
        return count;
    }

    private static List<StoreImage.Part> readParts(ByteBuffer in) {
        int count = count(in, PART_BYTES_MIN);
        List<StoreImage.Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = readString(in);
            StoreImage.FileInfo file = new StoreImage.FileInfo(name, in.getLong());
            parts.add(new StoreImage.Part(file, in.getInt(), in.getInt(), in.getLong(), in.getLong()));
        }
        return parts;
    }

    private static String readString(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new CorruptFileException(NAME, in.position(), "a name inside the image", length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** With the key groups that its run has, so that a restore of others need not fetch the file. */
    static StoreImage.Part part(RunView view) {
        RunInfo info = view.run().info();
        return new StoreImage.Part(
                new StoreImage.FileInfo(info.name(), info.bytes()),
                Math.max(view.keyGroupFrom(), info.keyGroupMin()),
                Math.min(view.keyGroupTo(), info.keyGroupMax()),
                view.prefixFrom(),
                view.prefixTo());
    }
}
