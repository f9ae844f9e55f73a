package org.apache.flink.runtime.state.filesystem;

import io.drey.testkit.Coroutine;
import java.io.IOException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Flink's streams into a checkpoint, with pauses between their calls: outside of their locks, which others want too. In
 * Flink's package, since files have names of Drey's only beside streams of Flink's own.
 */
public final class PausingStreams extends FsCheckpointStreamFactory {
    private static final int PART_BYTES = 400;

    private final FileSystem storage;
    private final int inlineBytes;
    private final int bufferBytes;

    public PausingStreams(FileSystem storage, Path own, Path shared, int inlineBytes, int bufferBytes) {
        super(storage, own, shared, inlineBytes, bufferBytes);
        this.storage = storage;
        this.inlineBytes = inlineBytes;
        this.bufferBytes = bufferBytes;
    }

    @Override
    public FsCheckpointStateOutputStream createCheckpointStateOutputStream(CheckpointedStateScope scope) {
        Coroutine.pause();
        boolean relative = scope != CheckpointedStateScope.SHARED;
        return new PausingStream(getTargetPath(scope), storage, bufferBytes, inlineBytes, relative);
    }

    private static final class PausingStream extends FsCheckpointStateOutputStream {
        PausingStream(Path base, FileSystem storage, int bufferBytes, int inlineBytes, boolean relative) {
            super(base, storage, bufferBytes, inlineBytes, relative);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            // A part at a time, so that there is a pause in the midst of a file.
            for (int at = 0; at < length; at += PART_BYTES) {
                Coroutine.pause();
                super.write(bytes, offset + at, Math.min(PART_BYTES, length - at));
            }
        }

        @Override
        public StreamStateHandle closeAndGetHandle() throws IOException {
            Coroutine.pause();
            StreamStateHandle handle = super.closeAndGetHandle();
            Coroutine.pause();
            return handle;
        }
    }
}
