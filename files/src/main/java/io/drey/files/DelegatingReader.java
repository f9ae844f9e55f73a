package io.drey.files;

import java.io.IOException;

/** A file that another directory has opened: only reading it differs. */
public abstract class DelegatingReader implements ReadableFile {
    /** The file of the other directory, taken over. */
    public final ReadableFile file;

    public DelegatingReader(ReadableFile file) {
        this.file = file;
    }

    @Override
    public final String name() {
        return file.name();
    }

    @Override
    public final long size() {
        return file.size();
    }

    @Override
    public void expect(long position, long length) {
        file.expect(position, length);
    }

    @Override
    public boolean isWhole() {
        return file.isWhole();
    }

    @Override
    public final void close() throws IOException {
        file.close();
    }
}
