package io.drey.checkpoint.manifest;

import static io.drey.checkpoint.manifest.ManifestLayout.BYTES_MIN;
import static io.drey.checkpoint.manifest.ManifestLayout.CHECKSUM_BYTES;
import static io.drey.checkpoint.manifest.ManifestLayout.CHECKSUM_SEED;
import static io.drey.checkpoint.manifest.ManifestLayout.HEADER_BYTES;
import static io.drey.checkpoint.manifest.ManifestLayout.KIND;
import static io.drey.checkpoint.manifest.ManifestLayout.KIND_AT;
import static io.drey.checkpoint.manifest.ManifestLayout.MAGIC;
import static io.drey.checkpoint.manifest.ManifestLayout.NAME_BYTES_MAX;
import static io.drey.checkpoint.manifest.ManifestLayout.RESERVED_AT;
import static io.drey.checkpoint.manifest.ManifestLayout.SECTION_BYTES_MIN;
import static io.drey.checkpoint.manifest.ManifestLayout.VERSION;
import static io.drey.checkpoint.manifest.ManifestLayout.VERSION_AT;
import static io.drey.checkpoint.manifest.ManifestLayout.VERSION_MIN;
import static io.drey.checkpoint.manifest.ManifestLayout.VERSION_OF_OFFSETS;
import static io.drey.checkpoint.manifest.ManifestLayout.fileBytesMin;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.foundation.FileVersionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Writes and reads manifests in the format that {@link ManifestLayout} draws. */
public final class ManifestCodec {
    private ManifestCodec() {}

    public static byte[] encode(Manifest manifest) {
        List<byte[]> names = new ArrayList<>();
        long bytes = BYTES_MIN;
        for (ManifestFile file : manifest.files()) {
            byte[] name = file.name().getBytes(UTF_8);
            if (name.length > NAME_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "expected a file name of at most " + NAME_BYTES_MAX + " bytes, found " + name.length);
            }
            names.add(name);
            bytes += fileBytesMin(VERSION) + name.length;
        }
        for (int id : manifest.sections()) {
            bytes += SECTION_BYTES_MIN + manifest.section(id).length;
        }
        if (bytes > Integer.MAX_VALUE - 8) {
            throw new DreyException("expected a manifest of less than 2 GB, found one of " + bytes
                    + " bytes for checkpoint " + manifest.checkpointId() + ": raise the job's parallelism");
        }
        ByteBuffer out = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
        putHeader(out, manifest);
        for (int i = 0; i < names.size(); i++) {
            putFile(out, manifest.files().get(i), names.get(i));
        }
        for (int id : manifest.sections()) {
            byte[] section = manifest.section(id);
            out.putInt(id).putInt(section.length).put(section);
        }
        out.putInt(new Checksum().of(out.array(), 0, out.position(), CHECKSUM_SEED));
        assert !out.hasRemaining() : out;
        return out.array();
    }

    private static void putHeader(ByteBuffer out, Manifest manifest) {
        out.putInt(MAGIC).put(KIND).put(VERSION).putShort((short) 0);
        out.putLong(manifest.backendId().getMostSignificantBits());
        out.putLong(manifest.backendId().getLeastSignificantBits());
        out.putLong(manifest.checkpointId());
        out.putInt(manifest.keyGroupFrom()).putInt(manifest.keyGroupTo());
        out.putInt(manifest.files().size()).putInt(manifest.sections().size());
        assert out.position() == HEADER_BYTES : out;
    }

    private static void putFile(ByteBuffer out, ManifestFile file, byte[] name) {
        out.put(file.kind()).putShort((short) name.length).put(name);
        out.putLong(file.bytes()).putLong(file.checksum()).putLong(file.offset());
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param source what errors call the manifest: where it was read from
     * @throws CorruptFileException if it is no manifest, or a damaged one
     * @throws FileVersionException if it is whole, but of another kind or of a version that is too old or too new
     */
    public static Manifest decode(String source, byte[] bytes) {
        checkFrame(source, bytes);
        ByteBuffer in = ByteBuffer.wrap(bytes, 0, bytes.length - CHECKSUM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        byte version = in.get(VERSION_AT);
        in.position(RESERVED_AT + Short.BYTES);
        UUID backendId = new UUID(in.getLong(), in.getLong());
        long checkpointId = in.getLong();
        int keyGroupFrom = in.getInt();
        int keyGroupTo = in.getInt();
        int files = in.getInt();
        int sections = in.getInt();
        try {
            return new Manifest(
                    backendId,
                    checkpointId,
                    keyGroupFrom,
                    keyGroupTo,
                    files(source, in, files, version),
                    sections(source, in, sections));
        } catch (IllegalArgumentException e) {
            throw new CorruptFileException(source, in.position(), "a sound manifest", e.getMessage());
        }
    }

    private static void checkFrame(String source, byte[] bytes) {
        if (bytes.length < BYTES_MIN) {
            throw new CorruptFileException(
                    source, bytes.length, "at least " + BYTES_MIN + " bytes of a manifest", "its end");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt(0) != MAGIC) {
            throw new CorruptFileException(
                    source, 0, "the magic DREY", String.format(Locale.ROOT, "%08x", in.getInt(0)));
        }
        int end = bytes.length - CHECKSUM_BYTES;
        int stored = in.getInt(end);
        byte kind = in.get(KIND_AT);
        int computed = new Checksum().of(bytes, 0, end, kind);
        if (computed != stored) {
            throw new CorruptFileException(
                    source,
                    end,
                    String.format(Locale.ROOT, "checksum %08x", stored),
                    String.format(Locale.ROOT, "%08x", computed));
        }
        if (kind != KIND) {
            throw new FileVersionException(source, "a manifest (kind " + (char) KIND + ")", "kind " + (char) kind);
        }
        byte version = in.get(VERSION_AT);
        if (version < VERSION_MIN || version > VERSION) {
            throw new FileVersionException(
                    source,
                    "version " + VERSION_MIN + ".." + VERSION + " of a manifest",
                    "version " + version + ", which is too " + (version < VERSION_MIN ? "old" : "new"));
        }
    }

    private static List<ManifestFile> files(String source, ByteBuffer in, int count, byte version) {
        int bytesMin = fileBytesMin(version);
        checkCount(source, in, count, bytesMin, "files");
        List<ManifestFile> files = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            checkLeft(source, in, bytesMin);
            byte kind = in.get();
            int nameLength = in.getShort() & 0xffff;
            checkLeft(source, in, nameLength + bytesMin - Byte.BYTES - Short.BYTES);
            byte[] name = new byte[nameLength];
            in.get(name);
            long bytes = in.getLong();
            long checksum = in.getLong();
            long offset = version < VERSION_OF_OFFSETS ? ManifestFile.WHOLE : in.getLong();
            files.add(new ManifestFile(new String(name, UTF_8), kind, bytes, checksum, offset));
        }
        return files;
    }

    private static SortedMap<Integer, byte[]> sections(String source, ByteBuffer in, int count) {
        checkCount(source, in, count, SECTION_BYTES_MIN, "sections");
        TreeMap<Integer, byte[]> sections = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            checkLeft(source, in, SECTION_BYTES_MIN);
            int id = in.getInt();
            int length = in.getInt();
            if (!sections.isEmpty() && id <= sections.lastKey()) {
                throw new IllegalArgumentException("section " + id + " after " + sections.lastKey());
            }
            checkLeft(source, in, length);
            byte[] bytes = new byte[length];
            in.get(bytes);
            sections.put(id, bytes);
        }
        if (in.hasRemaining()) {
            throw new CorruptFileException(
                    source, in.position(), "the end", in.remaining() + " bytes after the last section");
        }
        return sections;
    }

    private static void checkCount(String source, ByteBuffer in, int count, int bytesEach, String what) {
        if (count < 0 || count > in.remaining() / bytesEach) {
            throw new CorruptFileException(
                    source,
                    in.position(),
                    "at most " + in.remaining() / bytesEach + " " + what + " in the bytes that follow",
                    String.valueOf(count));
        }
    }

    private static void checkLeft(String source, ByteBuffer in, long bytes) {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new CorruptFileException(
                    source, in.position(), bytes + " more bytes", in.remaining() + " before the checksum");
        }
    }
}
