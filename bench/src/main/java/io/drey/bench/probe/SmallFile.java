package io.drey.bench.probe;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads the small files in which a kernel tells numbers, many of them each second, into one buffer. Used by one thread.
 */
final class SmallFile {
    private static final int BYTES_MAX = 8192;

    private final byte[] buffer = new byte[BYTES_MAX];

    /** The text, at most 8 KB of it; null if there is no such file, it is gone meanwhile, or it may not be read. */
    String read(Path file) {
        try (InputStream in = new FileInputStream(file.toString())) {
            int length = in.readNBytes(buffer, 0, BYTES_MAX);
            return new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // Threads end, and systems without these files are not measured in this way: absence is an answer.
            return null;
        }
    }
}
