package io.drey.flink.state.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Makes a temporary directory in memory, where the system has room for one: histories make and delete many. */
final class DirectoryInMemory implements TempDirFactory {
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext elementContext, ExtensionContext extensionContext)
            throws IOException {
        String name = elementContext.getAnnotatedElement().toString().replaceAll(".*\\.", "");
        return Files.isWritable(IN_MEMORY)
                ? Files.createTempDirectory(IN_MEMORY, name)
                : Files.createTempDirectory(name);
    }
}
