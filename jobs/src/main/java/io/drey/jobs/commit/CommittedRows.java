package io.drey.jobs.commit;

import io.drey.jobs.digest.OutputRow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Writes rows into a local directory in Flink's two phases: the rows between two checkpoints are a file that is pending
 * until the second is complete, and is renamed then. A file survives the process, and is not forced to the disk.
 */
public final class CommittedRows implements Sink<OutputRow>, SupportsCommitter<String> {
    private static final long serialVersionUID = 1L;

    private static final String NAME = "commit";
    private static final String PENDING = ".pending";

    private final String directory;

    private CommittedRows(Path directory) {
        this.directory = directory.toAbsolutePath().toString();
    }

    /** Adds the sink, into the task that makes the rows. */
    public static void attach(DataStream<OutputRow> rows, Path directory) {
        rows.sinkTo(new CommittedRows(directory)).name(NAME).uid(NAME);
    }

    static Path pending(Path visible) {
        return visible.resolveSibling(visible.getFileName() + PENDING);
    }

    @Override
    public CommittingSinkWriter<OutputRow, String> createWriter(WriterInitContext context) throws IOException {
        Files.createDirectories(Path.of(directory));
        return new RowWriter(
                Path.of(directory),
                context.getTaskInfo().getIndexOfThisSubtask() + "-"
                        + context.getTaskInfo().getAttemptNumber());
    }

    @Override
    public Committer<String> createCommitter(CommitterInitContext context) {
        return new RowCommitter(Path.of(directory));
    }

    @Override
    public SimpleVersionedSerializer<String> getCommittableSerializer() {
        return new Names();
    }

    /** Makes files visible, each of which may be so already. */
    private record RowCommitter(Path directory) implements Committer<String> {
        @Override
        public void commit(Collection<CommitRequest<String>> requests) throws IOException {
            for (CommitRequest<String> request : requests) {
                Path visible = Path.of(request.getCommittable());
                try {
                    Files.move(pending(visible), visible, StandardCopyOption.ATOMIC_MOVE);
                    CommitBoard.visible(request.getCommittable(), System.nanoTime());
                } catch (NoSuchFileException e) {
                    // What a job that was restored here had written elsewhere is not looked after from here.
                    if (visible.getParent().equals(directory) && !Files.exists(visible)) {
                        throw new IOException(
                                "expected " + pending(visible) + " or, committed already, " + visible
                                        + ", found neither: somebody deleted output of the job",
                                e);
                    }
                    request.signalAlreadyCommitted();
                }
            }
        }

        @Override
        public void close() {}
    }

    /** Files by their paths once they are visible. */
    private static final class Names implements SimpleVersionedSerializer<String> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(String name) {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String deserialize(int version, byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
