package io.drey.flink.state.snapshot;

import io.drey.checkpoint.upload.SecondAttempts;
import io.drey.checkpoint.upload.Trash;
import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import io.drey.flink.state.pack.Pack;
import io.drey.flink.state.pack.Packs.Section;
import io.drey.flink.state.pack.UnreadableException;
import io.drey.flink.state.task.Time;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/**
 * Writes a pack, one file after another. One that cannot be read is left out, and only the store that it is of hears of
 * it; what of it was written already stays between the others.
 */
final class PackWrite implements Write<StreamStateHandle> {
    private final Pack pack;
    private final Trash<StreamStateHandle> trash;
    private final Time time;
    private final SecondAttempts second;

    PackWrite(Pack pack, Trash<StreamStateHandle> trash, Time time, SecondAttempts second) {
        this.pack = pack;
        this.trash = trash;
        this.time = time;
        this.second = second;
    }

    @Override
    public long bytes() {
        return pack.bytes();
    }

    @Override
    public StreamStateHandle run(Attempt attempt) throws IOException {
        try {
            return write(attempt);
        } catch (IOException e) {
            // Throws that instead if it was not wanted.
            attempt.wrote(0);
            pack.failed(e);
            throw e;
        }
    }

    private StreamStateHandle write(Attempt attempt) throws IOException {
        pack.usualPause(second.usualPause(pack.bytes()));
        CheckpointStateOutputStream out = NamedStream.create(pack.directory(), pack.name(), trash);
        try {
            out.write(Pack.MAGIC);
            Map<String, Long> offsets = new HashMap<>();
            Map<String, IOException> unreadable = new HashMap<>();
            for (Section section : pack.sections()) {
                long begin = out.getPos();
                try {
                    section.copyTo(out, bytes -> moved(attempt, bytes));
                    offsets.put(section.name(), begin);
                } catch (UnreadableException e) {
                    unreadable.put(section.name(), e);
                }
            }
            long bytes = out.getPos() - Pack.MAGIC.length;
            StreamStateHandle handle = out.closeAndGetHandle();
            pack.attempted(handle, new Pack.Attempted(offsets, unreadable, bytes));
            return handle;
        } finally {
            // Deletes what was written unless it was finished above.
            FileUploads.close(out);
        }
    }

    private void moved(Attempt attempt, long bytes) {
        attempt.wrote(bytes);
        pack.moved(time.nanos());
    }

    @Override
    public void won(StreamStateHandle result) {
        pack.won((FileStateHandle) result, trash);
    }
}
