package io.drey.flink.state.restore;

import io.drey.files.remote.RemoteFile;
import io.drey.files.remote.RemoteStream;
import io.drey.flink.state.task.StorageFaults;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/** A file of a store in the checkpoint storage. */
record RemoteHandle(FileInfo file, StreamStateHandle handle) implements RemoteFile {
    @Override
    public String name() {
        return file.name();
    }

    @Override
    public long bytes() {
        return file.bytes();
    }

    @Override
    public String describe() {
        return ParentCheckpoint.describe(handle);
    }

    @Override
    public RemoteStream open() throws IOException {
        try {
            return new Stream(handle.openInputStream());
        } catch (RuntimeException e) {
            throw StorageFaults.of(e);
        }
    }

    /** Whether it can be read by range: whether its streams can be told where to stand. */
    boolean isSeekable() throws IOException {
        try (FSDataInputStream in = handle.openInputStream()) {
            in.seek(file.bytes() / 2);
            return in.getPos() == file.bytes() / 2;
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (RuntimeException e) {
            throw StorageFaults.of(e);
        }
    }

    private record Stream(FSDataInputStream in) implements RemoteStream {
        @Override
        public void seek(long position) throws IOException {
            try {
                in.seek(position);
            } catch (RuntimeException e) {
                throw StorageFaults.of(e);
            }
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                return in.readNBytes(into, offset, length);
            } catch (RuntimeException e) {
                throw StorageFaults.of(e);
            }
        }

        @Override
        public void close() throws IOException {
            try {
                in.close();
            } catch (RuntimeException e) {
                throw StorageFaults.of(e);
            }
        }
    }
}
