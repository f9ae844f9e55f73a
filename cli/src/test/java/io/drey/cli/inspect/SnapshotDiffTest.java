package io.drey.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.inspect.SnapshotDiff.StateDiff;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateForm;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.row.StateRow;
import io.drey.cli.inspect.snapshot.FileCheck;
import io.drey.cli.inspect.snapshot.KeyedPart;
import io.drey.cli.inspect.snapshot.PartFiles;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.terminal.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotDiffTest {
    private static final StateInfo COUNTS = StateInfo.unread("counts", StateForm.MAP);

    /** Of one key a map of names to numbers. */
    private record Counts(Map<String, Long> map) implements KeyedPart {
        @Override
        public String format() {
            return "made up";
        }

        @Override
        public int keyGroupFrom() {
            return 0;
        }

        @Override
        public int keyGroupTo() {
            return 0;
        }

        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public List<StateInfo> states() {
            return List.of(COUNTS);
        }

        @Override
        public String problem() {
            return null;
        }

        @Override
        public PartFiles files() {
            return new PartFiles(List.of(), null);
        }

        @Override
        public boolean rows(RowScope scope, RowVisitor visitor) throws IOException {
            for (Map.Entry<String, Long> entry : map.entrySet()) {
                byte[] name = entry.getKey().getBytes(StandardCharsets.UTF_8);
                byte[] number =
                        ByteBuffer.allocate(9).putLong(1, entry.getValue()).array();
                visitor.visit(new StateRow(COUNTS, 0, new byte[] {1}, new byte[0], name, number));
            }
            return true;
        }

        @Override
        public List<FileCheck> checks() {
            return List.of();
        }
    }

    private static Snapshot snapshot(Map<String, Long> counts) {
        List<SubtaskPart> keyed = List.of(new SubtaskPart(0, new Counts(counts)));
        return snapshot(keyed);
    }

    private static Snapshot snapshot(List<SubtaskPart> keyed) {
        SnapshotOperator operator = new SnapshotOperator("id", "name", null, 1, 1, keyed, 0, List.of(), 0);
        return new Snapshot(Path.of("chk-1"), "checkpoint", 1, List.of(operator));
    }

    private static List<StateDiff> states(Snapshot before, Snapshot after) throws IOException {
        ProgressLine silent = new ProgressLine(new PrintWriter(Writer.nullWriter()), false, 80, Integer.MAX_VALUE);
        return new SnapshotDiff(before, after, silent).states();
    }

    private static long changed(Map<String, Long> before, Map<String, Long> after) throws IOException {
        return states(snapshot(before), snapshot(after)).get(0).changed();
    }

    @Test
    void stateThatWentWithAnOperatorThatFinishedIsRemoved() throws IOException {
        Snapshot with = snapshot(Map.of("open", 5L));
        Snapshot without = snapshot(List.of());
        assertThat(states(with, without))
                .singleElement()
                .extracting(StateDiff::removed)
                .isEqualTo(1L);
        assertThat(states(without, with))
                .singleElement()
                .extracting(StateDiff::added)
                .isEqualTo(1L);
    }

    @Test
    void whatMovesFromOneEntryOfAMapToAnotherIsAChange() throws IOException {
        assertThat(changed(Map.of("open", 5L, "closed", 3L), Map.of("open", 4L, "closed", 4L)))
                .isOne();
        assertThat(changed(Map.of("open", 5L, "closed", 3L), Map.of("open", 3L, "closed", 5L)))
                .isOne();
        assertThat(changed(Map.of("open", 5L, "closed", 3L), Map.of("closed", 3L, "open", 5L)))
                .isZero();
    }
}
