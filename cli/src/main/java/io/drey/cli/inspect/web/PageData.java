package io.drey.cli.inspect.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.SnapshotRows;
import io.drey.cli.inspect.file.InspectedPath;
import io.drey.cli.inspect.report.Overview;
import io.drey.cli.inspect.report.StateScan.StateFinding;
import io.drey.cli.inspect.row.RowDecoder.Decoded;
import io.drey.cli.inspect.row.RowFilter;
import io.drey.cli.inspect.row.RowScope;
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

/**
 * Data that the page shows, as JSON. The scan runs in a thread of its own, on a snapshot of its own: serializers serve
 * one thread. All else is asked by the one thread of the server.
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

    /** The findings by operator's id, or a sentence why there are none; null while the scan runs. */
    private volatile Object scanned;

    PageData(Path path, ClassLoader classes) throws IOException {
        this.path = path;
        this.classes = classes;
        this.snapshot = SnapshotReader.read(path, classes);
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

    /** Reads all entries; to be called once, by another thread. */
    void scan() {
        try {
            ProgressLine silent =
                    new ProgressLine(new PrintWriter(Writer.nullWriter()), false, COLUMNS, Integer.MAX_VALUE);
            Map<String, List<StateFinding>> byOperator = new LinkedHashMap<>();
            new SnapshotRows(SnapshotReader.read(path, classes), silent)
                    .scan(null, null, null)
                    .forEach((operator, states) -> byOperator.put(operator.id(), states));
            scanned = byOperator;
        } catch (IOException | DreyException e) {
            scanned = e.getMessage();
        }
    }

    String scanned() throws IOException {
        Object now = scanned;
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("done", now != null);
        tree.put(now instanceof String ? "problem" : "operators", now);
        return json.writeValueAsString(tree);
    }

    /** The first entries of a state, or those of a key. */
    String rows(String operatorId, String state, String key) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        RowFilter filter = new RowFilter(key == null || key.isEmpty() ? null : key, null);
        for (SnapshotOperator operator : snapshot.operators()) {
            if (operator.id().equals(operatorId)) {
                for (SubtaskPart each : operator.keyed()) {
                    rows(operator, each, state, filter, rows);
                }
            }
        }
        return json.writeValueAsString(Map.of("rows", rows, "most", ROWS_MAX));
    }

    private static void rows(
            SnapshotOperator operator, SubtaskPart each, String state, RowFilter filter, List<Map<String, Object>> rows)
            throws IOException {
        for (StateInfo info : each.part().states()) {
            if (info.name().equals(state) && rows.size() < ROWS_MAX) {
                RowScope scope = new RowScope(state, filter.keyGroup(info, operator.maxParallelism()));
                each.part().rows(scope, filter.passing((row, decoded) -> {
                    rows.add(row(row.keyGroup(), decoded));
                    return rows.size() < ROWS_MAX;
                }));
            }
        }
    }

    private static Map<String, Object> row(int keyGroup, Decoded decoded) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("keyGroup", keyGroup);
        row.put("key", decoded.key());
        row.put("namespace", decoded.namespace());
        row.put("mapKey", decoded.mapKey());
        row.put("value", decoded.value());
        return row;
    }
}
