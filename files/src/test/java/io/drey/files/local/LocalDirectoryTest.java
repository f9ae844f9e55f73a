package io.drey.files.local;

import java.io.IOException;

/** Through the page cache. */
final class LocalDirectoryTest extends LocalDirectoryContract {
    @Override
    protected LocalDirectory directory() throws IOException {
        return LocalDirectory.at(path.resolve("files"));
    }
}
