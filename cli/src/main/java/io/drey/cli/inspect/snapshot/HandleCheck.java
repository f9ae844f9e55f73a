package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.file.BufferedHandle.ByteCount;
import io.drey.cli.inspect.file.Handles;
import io.drey.foundation.CorruptFileException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/** Reads files of which no checksum is known: they are there, and as long as the snapshot says. */
final class HandleCheck {
    private static final int BUFFER_BYTES = 1 << 20;

    private HandleCheck() {}

    static void whole(StreamStateHandle handle, ByteCount progress) throws IOException {
        long bytes = 0;
        try (InputStream in = Handles.stream(handle)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            int count;
            while ((count = in.read(buffer)) >= 0) {
                bytes += count;
                progress.add(count);
            }
        }
        if (bytes != handle.getStateSize()) {
            throw new CorruptFileException(
                    Handles.describe(handle),
                    Math.min(bytes, handle.getStateSize()),
                    handle.getStateSize() + " bytes",
                    bytes + "");
        }
    }

    /** Whether it is as long as the snapshot says; only its end is read. */
    static boolean isAsLong(StreamStateHandle handle) throws IOException {
        try (org.apache.flink.core.fs.FSDataInputStream in = handle.openInputStream()) {
            in.seek(Math.max(0, handle.getStateSize() - 1));
            return (handle.getStateSize() == 0 || in.read() >= 0) && in.read() < 0;
        }
    }
}
