package io.drey.cli.inspect.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/** A kind of file, by its first bytes. */
public enum FileKind {
    FLINK_METADATA("Flink's meta data of a checkpoint or savepoint", "4960672d"),
    RUN("a run of Drey", "4452455952554e20"),
    VALUE_LOG("a value log of Drey", "44524559564c4f47"),
    PACK("a pack of Drey", "445245595041434b"),
    MANIFEST("a manifest of Drey", "445245594d");

    private static final int BYTES_READ = 8;

    private final String text;
    private final byte[] magic;

    FileKind(String text, String magic) {
        this.text = text;
        this.magic = HexFormat.of().parseHex(magic);
    }

    /** With its article. */
    public String text() {
        return text;
    }

    /** The kind of a file, or null if it is none of these. */
    public static FileKind of(Path file) throws IOException {
        return of(firstBytes(file));
    }

    static FileKind of(byte[] first) {
        for (FileKind kind : values()) {
            if (Arrays.mismatch(first, kind.magic) < 0 || Arrays.mismatch(first, kind.magic) == kind.magic.length) {
                return kind;
            }
        }
        return null;
    }

    /** A sentence for a file that is of no kind. */
    public static String foreign(Path file) throws IOException {
        byte[] first = firstBytes(file);
        String found = first.length == 0
                ? "an empty file"
                : "the bytes " + HexFormat.of().formatHex(first) + " ("
                        + new String(first, StandardCharsets.US_ASCII).replaceAll("[^ -~]", ".") + ")";
        return "File " + file
                + " is not one that can be looked into: expected at byte 0 a run, value log, pack or manifest"
                + " of Drey or Flink's _metadata, found " + found + ".";
    }

    private static byte[] firstBytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(BYTES_READ);
        }
    }
}
