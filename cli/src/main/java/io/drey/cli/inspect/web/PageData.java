package io.drey.cli.inspect.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.SnapshotRows;
import io.drey.cli.inspect.file.InspectedPath;
import io.drey.cli.inspect.report.Overview;
import io.drey.cli.inspect.report.StateScan.StateFinding;
import io.drey.cli.inspect.row.RowDecoder.Decoded;
import io.drey.cli.inspect.row.RowFilter;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.inspect.snapshot.SnapshotReader;
import io.drey.cli.terminal.ProgressLine;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Data that the page shows, as JSON. The scan runs in a thread of its own, on a snapshot of its own: serializers serve
 * one thread. Searches for entries have another one, one at a time: the next one ends the one that is under way, which
 * may have to read all of a state.
 */
final class PageData {
    private static final int RETAINED_MAX = 50;
    private static final int ROWS_MAX = 100;
    private static final int COLUMNS = 80;

    private final ObjectMapper json = new ObjectMapper();
    private final Path path;
    private final ClassLoader classes;
    private final Snapshot snapshot;
    private final String overview;
    private final long withState;

    /** The findings by operator's id, as they come. */
    private final Map<String, List<StateFinding>> scanned = new ConcurrentHashMap<>();

    /** Searches that were asked for. */
    private final AtomicLong searches = new AtomicLong();

    private final Object searching = new Object();

    private volatile boolean isDone;

    /** A sentence why the scan ended early, or null. */
    private volatile String problem;

    PageData(Path path, ClassLoader classes) throws IOException {
        this.path = path;
        this.classes = classes;
        this.snapshot = SnapshotReader.read(path, classes);
        this.withState = snapshot.operators().stream()
                .filter(operator -> !operator.keyed().isEmpty())
                .count();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("overview", Overview.of(snapshot));
        tree.put("retained", retained());
        this.overview = json.writeValueAsString(tree);
    }

    /** Sizes of the checkpoints beside this one, oldest first. */
    private List<Map<String, Object>> retained() throws IOException {
        List<Path> all = path.getParent() == null ? List.of() : InspectedPath.checkpoints(path.getParent());
        List<Map<String, Object>> sizes = new ArrayList<>();
        for (Path each : all.subList(Math.max(0, all.size() - RETAINED_MAX), all.size())) {
            try {
                Snapshot other = SnapshotReader.read(each, classes);
                sizes.add(Map.of("id", other.checkpointId(), "bytes", other.bytes()));
            } catch (IOException | DreyException e) {
                // It is being deleted, or damaged: another inspection may say more, this page is of another one.
                sizes.add(Map.of("id", -1, "bytes", 0));
            }
        }
        return sizes;
    }

    String overview() {
        return overview;
    }

    /** Reads all entries, operator by operator; to be called once, by another thread. */
    void scan() {
        try {
            ProgressLine silent =
                    new ProgressLine(new PrintWriter(Writer.nullWriter()), false, COLUMNS, Integer.MAX_VALUE);
            Snapshot own = SnapshotReader.read(path, classes);
            for (SnapshotOperator operator : own.operators()) {
                if (isDone) {
                    return;
                }
                scanned.putAll(byId(new SnapshotRows(own, silent).scan(operator.id(), null, null)));
            }
        } catch (IOException | RuntimeException e) {
            problem = failure(e).getMessage();
        } finally {
            isDone = true;
        }
    }

    private static Map<String, List<StateFinding>> byId(Map<SnapshotOperator, List<StateFinding>> findings) {
        Map<String, List<StateFinding>> byId = new LinkedHashMap<>();
        findings.forEach((operator, states) -> byId.put(operator.id(), states));
        return byId;
    }

    /** Ends the scan after the operator that it is at, and the search. */
    void stop() {
        isDone = true;
        searches.incrementAndGet();
    }

    /** How far the scan is, and what it found of an operator; null for none. */
    String scanned(String operatorId) throws IOException {
        Map<String, Object> tree = new LinkedHashMap<>();
        // In this order: what is done is complete.
        tree.put("done", isDone);
        tree.put("problem", problem);
        tree.put("scanned", scanned.size());
        tree.put("of", withState);
        tree.put("states", operatorId == null ? null : scanned.get(operatorId));
        return json.writeValueAsString(tree);
    }

    /** What to say of a failure to read. */
    IOException failure(Exception failure) {
        return SnapshotReader.failure(path, failure);
    }

    /** The first entries of a state, or those of a key. */
    String rows(String operatorId, String state, String key) throws IOException {
        long search = searches.incrementAndGet();
        synchronized (searching) {
            List<Map<String, Object>> rows = new ArrayList<>();
            RowFilter filter = new RowFilter(key == null || key.isEmpty() ? null : key, null);
            for (SnapshotOperator operator : snapshot.operators()) {
                if (operator.id().equals(operatorId)) {
                    for (SubtaskPart each : operator.keyed()) {
                        rows(search, operator, each, state, filter, rows);
                    }
                }
            }
            return json.writeValueAsString(Map.of("rows", rows, "most", ROWS_MAX));
        }
    }

    private void rows(
            long search,
            SnapshotOperator operator,
            SubtaskPart each,
            String state,
            RowFilter filter,
            List<Map<String, Object>> rows)
            throws IOException {
        for (StateInfo info : each.part().states()) {
            if (info.name().equals(state) && rows.size() < ROWS_MAX) {
                RowScope scope = new RowScope(state, filter.keyGroup(info, operator.maxParallelism()));
                RowVisitor chosen = filter.passing((row, decoded) -> {
                    rows.add(row(row.keyGroup(), decoded));
                    return rows.size() < ROWS_MAX;
                });
                each.part().rows(scope, row -> {
                    if (searches.get() != search) {
                        throw new IOException("Another search was begun.");
                    }
                    return chosen.visit(row);
                });
            }
        }
    }

    private Map<String, Object> row(int keyGroup, Decoded decoded) throws IOException {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("keyGroup", keyGroup);
        row.put("key", text(decoded.key()));
        row.put("namespace", text(decoded.namespace()));
        row.put("mapKey", text(decoded.mapKey()));
        row.put("value", text(decoded.value()));
        return row;
    }

    /** A browser would round a number of more than 53 bits. */
    private Object text(Object value) throws IOException {
        return value == null || value instanceof String ? value : json.writeValueAsString(value);
    }
}
