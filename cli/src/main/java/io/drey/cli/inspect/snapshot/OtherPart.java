package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.file.Handles;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.snapshot.PartFiles.PartFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.StreamStateHandle;

/** Keyed state in a format of another backend: its states and files are known, its entries only to that backend. */
final class OtherPart implements KeyedPart {
    private final String format;
    private final KeyGroupRange keyGroups;
    private final Map<String, StreamStateHandle> files;
    private final List<StateInfo> states;
    private final String problem;
    private final boolean isDamaged;

    /** The meta stream, if there is one, begins with Flink's serializer snapshots. */
    OtherPart(
            String format,
            KeyGroupRange keyGroups,
            StreamStateHandle meta,
            Map<String, StreamStateHandle> files,
            ClassLoader classes) {
        this.format = format;
        this.keyGroups = keyGroups;
        this.files = files;
        List<StateInfo> read = List.of();
        String wrong = null;
        boolean damaged = false;
        if (meta != null) {
            try (org.apache.flink.core.fs.FSDataInputStream in = meta.openInputStream()) {
                KeyedBackendSerializationProxy<?> proxy = new KeyedBackendSerializationProxy<>(classes);
                proxy.read(new DataInputViewStreamWrapper(in));
                read = StateInfo.of(proxy);
            } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
                wrong = MissingClass.sentence(e);
                damaged = MissingClass.of(e) == null;
            }
        }
        this.states = read;
        this.problem = wrong;
        this.isDamaged = damaged;
    }

    @Override
    public String format() {
        return format;
    }

    @Override
    public int keyGroupFrom() {
        return keyGroups.getStartKeyGroup();
    }

    @Override
    public int keyGroupTo() {
        return keyGroups.getEndKeyGroup();
    }

    @Override
    public long bytes() {
        return files.values().stream()
                .mapToLong(StreamStateHandle::getStateSize)
                .sum();
    }

    @Override
    public List<StateInfo> states() {
        return states;
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public PartFiles files() {
        return new PartFiles(
                files.entrySet().stream()
                        .map(file -> new PartFile(
                                file.getKey(), format, file.getValue().getStateSize(), -1, -1))
                        .toList(),
                null);
    }

    @Override
    public boolean rows(RowScope scope, RowVisitor visitor) throws IOException {
        throw new IOException("the entries of a snapshot of " + format
                + " can be read by that backend only. Take a canonical savepoint and look into that");
    }

    @Override
    public List<FileCheck> checks() {
        List<FileCheck> checks = new ArrayList<>();
        files.values().forEach(file -> checks.add(progress -> HandleCheck.whole(file, progress)));
        if (isDamaged) {
            checks.add(progress -> {
                throw new IOException(problem);
            });
        }
        return checks;
    }

    /** The name of a file in messages and tables. */
    static String name(StreamStateHandle handle) {
        return Handles.describe(handle).replaceFirst(".*/", "");
    }
}
