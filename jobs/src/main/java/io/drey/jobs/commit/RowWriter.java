package io.drey.jobs.commit;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.generate.CreationTimes;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;

/** Writes the rows of a subtask, 16 bytes each, into one pending file for each checkpoint. */
final class RowWriter implements CommittingSinkWriter<OutputRow, String> {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path directory;
    private final String prefix;
    private long number;

    /** Null before the first row. */
    private DataOutputStream out;

    private Path visible;
    private RowCounts counts;

    /** @param subtask for people; files are told apart by an id of this life */
    RowWriter(Path directory, String subtask) {
        this.directory = directory;
        this.prefix = "rows-" + subtask + "-" + UUID.randomUUID() + "-";
    }

    @Override
    public void write(OutputRow row, Context context) throws IOException {
        if (out == null) {
            begin();
        }
        out.writeLong(row.eventTimeMs);
        out.writeLong(row.digest);
        long created = CreationTimes.nanos(row.eventTimeMs);
        if (created != 0) {
            counts.add(created);
        }
    }

    private void begin() throws IOException {
        visible = directory.resolve(prefix + ++number);
        counts = new RowCounts();
        out = new DataOutputStream(new BufferedOutputStream(
                Files.newOutputStream(CommittedRows.pending(visible), StandardOpenOption.CREATE_NEW), BUFFER_BYTES));
    }

    /** Rows become visible by commits only. */
    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public Collection<String> prepareCommit() throws IOException {
        if (out == null) {
            return List.of();
        }
        out.close();
        out = null;
        CommitBoard.prepared(visible.toString(), counts);
        return List.of(visible.toString());
    }

    @Override
    public void close() throws IOException {
        if (out != null) {
            out.close();
            Files.deleteIfExists(CommittedRows.pending(visible));
        }
    }
}
