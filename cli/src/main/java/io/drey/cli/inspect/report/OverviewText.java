package io.drey.cli.inspect.report;

import io.drey.bench.format.Quantity;
import io.drey.cli.inspect.report.Overview.OperatorView;
import io.drey.cli.inspect.report.Overview.StateView;
import io.drey.cli.inspect.report.Overview.SubtaskView;
import io.drey.cli.inspect.report.StateScan.Large;
import io.drey.cli.inspect.report.StateScan.StateFinding;
import io.drey.cli.inspect.snapshot.KeyedPart;
import io.drey.cli.inspect.snapshot.PartFiles.PartFile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Findings in a snapshot, as lines of text. */
public final class OverviewText {
    private static final int KEY_LENGTH_MAX = 60;

    private OverviewText() {}

    /** The overview. */
    public static List<String> lines(Overview overview) {
        List<String> lines = new ArrayList<>();
        lines.add(overview.path() + ": " + overview.kind() + " " + overview.checkpointId() + ", "
                + Quantity.size(overview.bytes()) + ", "
                + operators(overview.operators().size()));
        for (OperatorView operator : overview.operators()) {
            if (operator.keyedBytes() + operator.operatorBytes() + operator.inFlightBytes() > 0) {
                operator(lines, operator);
            }
        }
        long empty = overview.operators().stream()
                .filter(each -> each.keyedBytes() + each.operatorBytes() + each.inFlightBytes() == 0)
                .count();
        if (empty > 0) {
            lines.add("");
            lines.add(operators(empty) + " without state.");
        }
        return lines;
    }

    private static String operators(long count) {
        return count + (count == 1 ? " operator" : " operators");
    }

    private static void operator(List<String> lines, OperatorView operator) {
        lines.add("");
        lines.add(operator.name() + "  (id " + operator.id() + ", "
                + (operator.uid() == null ? "no uid" : "uid " + operator.uid()) + ")");
        lines.add("  parallelism " + operator.parallelism() + ", key groups " + operator.maxParallelism()
                + (operator.format() == null
                        ? ""
                        : ", keyed state " + by(operator.format()) + " " + Quantity.size(operator.keyedBytes()))
                + (operator.operatorBytes() == 0 ? "" : ", operator state " + Quantity.size(operator.operatorBytes()))
                + (operator.inFlightBytes() == 0 ? "" : ", in flight " + Quantity.size(operator.inFlightBytes())));
        if (operator.problem() != null) {
            lines.add("  " + operator.problem());
        }
        TextTable states = new TextTable("state", "form", "key", "namespace", "value", " entries at most", " bytes");
        operator.states()
                .forEach(state -> states.row(
                        state.name(),
                        state.form(),
                        state.key(),
                        state.namespace(),
                        state.value(),
                        state.entriesAtMost() < 0 ? "?" : Quantity.count(state.entriesAtMost()),
                        state.bytes() < 0 ? "?" : Quantity.size(state.bytes())));
        if (!states.isEmpty()) {
            lines.addAll(states.lines("  "));
        }
        for (StateView state : operator.states()) {
            if (state.medianAccess() != null) {
                lines.add("  Half of " + state.name() + " was last accessed by "
                        + Instant.ofEpochMilli(state.medianAccess()) + ".");
            }
        }
        if (!operator.subtasks().isEmpty()) {
            subtasks(lines, operator);
        }
    }

    private static String by(String format) {
        return format.equals("canonical") ? "in canonical form" : "of " + format;
    }

    private static void subtasks(List<String> lines, OperatorView operator) {
        TextTable table =
                new TextTable("subtask", "key groups", " bytes", " young", " last level", " value logs", " garbage");
        for (SubtaskView subtask : operator.subtasks()) {
            List<PartFile> logs = of(subtask, "value log");
            long logBytes = bytes(logs);
            long live = logs.stream().mapToLong(PartFile::liveBytes).sum();
            table.row(
                    subtask.subtask() + "",
                    subtask.keyGroupFrom() + ".." + subtask.keyGroupTo(),
                    Quantity.size(subtask.bytes()),
                    files(of(subtask, "young")),
                    files(of(subtask, "last level")),
                    files(logs),
                    logs.isEmpty() ? "-" : share(logBytes - live, logBytes));
        }
        boolean isDrey = operator.format() != null && operator.format().startsWith("Drey");
        if (isDrey) {
            lines.addAll(table.lines("  "));
        } else {
            for (SubtaskView subtask : operator.subtasks()) {
                lines.add("  subtask " + subtask.subtask() + ", key groups " + subtask.keyGroupFrom() + ".."
                        + subtask.keyGroupTo() + ": " + files(subtask.files()));
            }
            if (KeyedPart.CHANGELOG.equals(operator.format())
                    && operator.subtasks().size() > 1) {
                lines.add("  Files of changes that subtasks share are counted for the first of them only.");
            }
        }
    }

    private static List<PartFile> of(SubtaskView subtask, String level) {
        return subtask.files().stream()
                .filter(file -> file.level().equals(level))
                .toList();
    }

    private static long bytes(List<PartFile> files) {
        return files.stream().mapToLong(PartFile::bytes).sum();
    }

    private static String files(List<PartFile> files) {
        return files.isEmpty() ? "-" : files.size() + " x, " + Quantity.size(bytes(files));
    }

    /** A part of a whole, in per cent. */
    private static String share(long part, long whole) {
        return whole == 0 ? "0 %" : String.format(Locale.ROOT, "%.0f %%", 100.0 * part / whole);
    }

    /** What a scan of an operator found. */
    public static List<String> lines(OperatorView operator, List<StateFinding> states) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add(operator.name() + ": live entries");
        TextTable table = new TextTable(
                "state",
                " entries",
                " keys",
                " key bytes",
                " value bytes",
                " key groups",
                " most keys / mean",
                " expired");
        for (StateFinding state : states) {
            table.row(
                    state.state(),
                    Quantity.count(state.entries()),
                    Quantity.count(state.keys()),
                    Quantity.size(state.keyBytes()),
                    Quantity.size(state.valueBytes()),
                    Arrays.stream(state.keysByKeyGroup())
                                    .filter(keys -> keys > 0)
                                    .count() + "",
                    skew(state, operator.maxParallelism()),
                    state.expired() < 0 ? "-" : share(state.expired(), state.entries()));
        }
        lines.addAll(table.lines("  "));
        for (StateFinding state : states) {
            hidden(lines, operator, state);
            large(lines, "largest entries of " + state.state(), state.largestValues());
            if (state.entries() > state.keys()) {
                large(lines, "largest keys of " + state.state(), state.largestKeys());
            }
        }
        return lines;
    }

    /** How the fullest key group compares with the mean. */
    static String skew(StateFinding state, int keyGroups) {
        long most = Arrays.stream(state.keysByKeyGroup()).max().orElse(0);
        return state.keys() == 0
                ? "-"
                : Quantity.count(most) + " / " + String.format(Locale.ROOT, "%.1f", (double) state.keys() / keyGroups);
    }

    private static void hidden(List<String> lines, OperatorView operator, StateFinding finding) {
        for (StateView state : operator.states()) {
            long hidden = state.entriesAtMost() - finding.entries();
            if (state.name().equals(finding.state()) && !state.form().equals("timers") && hidden > 0) {
                lines.add("  " + state.name() + ": " + Quantity.count(hidden) + " of "
                        + Quantity.count(state.entriesAtMost())
                        + " entries in files are not counted above: newer ones hide them, they delete others, add to a"
                        + " list, or belong to keys of other subtasks. Compaction drops or joins them.");
            }
        }
    }

    private static void large(List<String> lines, String title, List<Large> largest) {
        if (largest.isEmpty()) {
            return;
        }
        lines.add("  " + title + ":");
        TextTable table = new TextTable("key", " bytes", " entries");
        for (Large large : largest) {
            String key = large.key().length() > KEY_LENGTH_MAX
                    ? large.key().substring(0, KEY_LENGTH_MAX) + "..."
                    : large.key();
            table.row(key, Quantity.size(large.bytes()), Quantity.count(large.entries()));
        }
        lines.addAll(table.lines("    "));
    }
}
