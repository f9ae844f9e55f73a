package io.drey.files;

import java.io.IOException;

/** Through the page cache. */
final class LocalDirectoryTest extends LocalDirectoryContract {
    @Override
    LocalDirectory directory() throws IOException {
        return LocalDirectory.at(path.resolve("files"));
    }
}
