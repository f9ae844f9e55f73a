package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.file.BufferedHandle.ByteCount;
import java.io.IOException;

/** Reads a file, or a part of a large one, and finds whether it is as it should be. Several may run at a time. */
@FunctionalInterface
public interface FileCheck {
    /** Reads all of it and throws what is wrong. */
    void run(ByteCount progress) throws IOException;
}
