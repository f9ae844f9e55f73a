package io.drey.cli.inspect;

import io.drey.bench.format.Quantity;
import io.drey.cli.inspect.report.StateScan;
import io.drey.cli.inspect.report.StateScan.StateFinding;
import io.drey.cli.inspect.row.RowDecoder.Decoded;
import io.drey.cli.inspect.row.RowFilter;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.row.StateRow;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.terminal.ProgressLine;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Goes through the entries of a snapshot, of all of it or of what options choose. One thread. */
public final class SnapshotRows {
    private static final int ROWS_BETWEEN_MOMENTS = 1 << 17;

    private final Snapshot snapshot;
    private final ProgressLine progress;
    private long rows;

    public SnapshotRows(Snapshot snapshot, ProgressLine progress) {
        this.snapshot = snapshot;
        this.progress = progress;
    }

    /** Takes chosen entries as lines. */
    @FunctionalInterface
    interface LineVisitor {
        void visit(SnapshotOperator operator, int subtask, StateRow row, Decoded decoded) throws IOException;
    }

    /** The operators that a name means; all for null. */
    List<SnapshotOperator> operators(String name) throws IOException {
        List<SnapshotOperator> chosen = snapshot.operators().stream()
                .filter(operator -> name == null || operator.isCalled(name))
                .toList();
        if (chosen.isEmpty() && name != null) {
            throw new IOException("There is no operator '" + name + "'; expected one of "
                    + String.join(
                            ", ",
                            snapshot.operators().stream()
                                    .map(SnapshotOperator::name)
                                    .toList()) + ".");
        }
        return chosen;
    }

    /** Counts all entries, operator by operator. */
    public Map<SnapshotOperator, List<StateFinding>> scan(String operatorName, String state, Duration ttl)
            throws IOException {
        Map<SnapshotOperator, List<StateFinding>> findings = new LinkedHashMap<>();
        Set<String> names = new LinkedHashSet<>();
        long expiredUntil = ttl == null ? Long.MIN_VALUE : System.currentTimeMillis() - ttl.toMillis();
        for (SnapshotOperator operator : operators(operatorName)) {
            if (operator.keyed().isEmpty()) {
                continue;
            }
            StateScan scan = new StateScan(operator.maxParallelism(), expiredUntil);
            RowScope scope = new RowScope(state, -1);
            for (SubtaskPart each : operator.keyed()) {
                each.part().states().forEach(info -> names.add(info.name()));
                each.part().states().stream().filter(scope::wants).forEach(scan::expect);
                each.part().rows(scope, counted(scan));
            }
            findings.put(operator, scan.findings());
        }
        progress.end();
        expect(state, names);
        return findings;
    }

    private static void expect(String state, Set<String> names) throws IOException {
        if (state != null && !names.contains(state)) {
            throw new IOException(
                    "There is no state '" + state + "'; expected one of " + String.join(", ", names) + ".");
        }
    }

    private RowVisitor counted(RowVisitor visitor) {
        return row -> {
            if (++rows % ROWS_BETWEEN_MOMENTS == 0) {
                progress.show("Read " + Quantity.count(rows) + " entries");
            }
            return visitor.visit(row);
        };
    }

    /** Hands the entries that options choose to a visitor; how many these were. */
    long choose(InspectOptions options, LineVisitor visitor) throws IOException {
        RowFilter filter = new RowFilter(options.key(), options.grep());
        long[] found = new long[1];
        Set<String> names = new LinkedHashSet<>();
        for (SnapshotOperator operator : operators(options.operator())) {
            Map<String, Integer> shown = new HashMap<>();
            for (SubtaskPart each : operator.keyed()) {
                for (StateInfo state : each.part().states()) {
                    names.add(state.name());
                    if (options.state() != null && !options.state().equals(state.name())) {
                        continue;
                    }
                    RowScope scope = new RowScope(state.name(), filter.keyGroup(state, operator.maxParallelism()));
                    if (options.sample() != null && shown.getOrDefault(state.name(), 0) >= options.sample()) {
                        continue;
                    }
                    each.part().rows(scope, counted(filter.passing((row, decoded) -> {
                        visitor.visit(operator, each.subtask(), row, decoded);
                        found[0]++;
                        int count = shown.merge(state.name(), 1, Integer::sum);
                        return options.sample() == null || count < options.sample();
                    })));
                }
            }
        }
        progress.end();
        expect(options.state(), names);
        return found[0];
    }
}
