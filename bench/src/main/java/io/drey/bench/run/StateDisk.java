package io.drey.bench.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Where the cells keep their local state. */
interface StateDisk extends Closeable {
    /** The directory for all cells. */
    Path directory();

    /** The block device that nobody else uses, such as {@code loop0}, or null. */
    String device();

    /** No limits from now on: the state is being filled. */
    void free() throws IOException;

    /** The limits hold from now on, with full credit: the state is being restored and used. */
    void ration() throws IOException;

    /** The disk as it is, below the work directory. */
    static StateDisk plain(Path directory) {
        return new StateDisk() {
            @Override
            public Path directory() {
                return directory;
            }

            @Override
            public String device() {
                return null;
            }

            @Override
            public void free() {}

            @Override
            public void ration() {}

            @Override
            public void close() {}
        };
    }
}
