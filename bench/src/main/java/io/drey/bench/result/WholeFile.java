package io.drey.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that a reader, and who finds the disk full, has as it was before or as it is now. */
public final class WholeFile {
    private WholeFile() {}

    /** Writes a file. */
    public interface Content {
        void write(Path file) throws IOException;
    }

    /** Replaces a file, if it is there, once all of the new one is written; what does not fit is not left behind. */
    public static void replace(Path file, Content content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            content.write(fresh);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw e;
        }
    }
}
