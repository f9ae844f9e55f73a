package io.drey.flink.state.changelog;

import io.drey.checkpoint.retention.SharedNames;
import io.drey.checkpoint.upload.Trash;
import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.checkpoint.upload.Writes.Write;
import io.drey.flink.state.snapshot.NamedStream;
import io.drey.foundation.Checksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/** Writes sections into a file. */
final class ChangelogFileWrite implements Write<ChangelogFileWrite.Written> {
    /** The bytes that each file begins with. */
    static final byte[] MAGIC = "DREYCLOG".getBytes(StandardCharsets.US_ASCII);

    private static final int BUFFER_BYTES = 64 << 10;

    private final List<ChangelogSection> sections;
    private final Path directory;
    private final SharedNames names;
    private final Trash<StreamStateHandle> trash;

    /**
     * A file.
     *
     * @param offsets where each section begins
     */
    record Written(FileStateHandle handle, long[] offsets) {}

    ChangelogFileWrite(
            List<ChangelogSection> sections, Path directory, SharedNames names, Trash<StreamStateHandle> trash) {
        this.sections = sections;
        this.directory = directory;
        this.names = names;
        this.trash = trash;
    }

    @Override
    public long bytes() {
        return sections.stream().mapToLong(ChangelogSection::storedBytes).sum();
    }

    /**
     * The first checkpoint that may list the file, for its name: if one from this on completes without listing it, no
     * section of it is listed any more.
     */
    private long first() {
        return sections.stream().mapToLong(section -> section.first).max().orElseThrow();
    }

    @Override
    public Written run(Attempt attempt) throws IOException {
        CheckpointStateOutputStream out = NamedStream.create(directory, names.next(first()), trash);
        try {
            out.write(MAGIC);
            long[] offsets = new long[sections.size()];
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = out.getPos();
                write(sections.get(i), out, buffer, attempt);
            }
            return new Written((FileStateHandle) out.closeAndGetHandle(), offsets);
        } finally {
            // Deletes what was written unless it was finished above.
            out.close();
        }
    }

    private static void write(ChangelogSection section, CheckpointStateOutputStream out, byte[] buffer, Attempt attempt)
            throws IOException {
        out.write(header(section).array());
        int length;
        for (int at = 0; at < section.bytes(); at += length) {
            length = section.read(at, buffer);
            out.write(buffer, 0, length);
            attempt.wrote(length);
        }
    }

    private static ByteBuffer header(ChangelogSection section) {
        ByteBuffer header = ByteBuffer.allocate(ChangelogSection.HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(section.seed)
                .putInt(section.bytes());
        return header.putInt(new Checksum().of(header.array(), 0, ChangelogSection.CHECKED_BYTES, 0));
    }
}
