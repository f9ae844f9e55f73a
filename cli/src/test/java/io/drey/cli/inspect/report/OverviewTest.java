package io.drey.cli.inspect.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.drey.cli.inspect.report.Overview.StateView;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateForm;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.snapshot.FileCheck;
import io.drey.cli.inspect.snapshot.KeyedPart;
import io.drey.cli.inspect.snapshot.PartFiles;
import io.drey.cli.inspect.snapshot.PartFiles.PartFile;
import io.drey.cli.inspect.snapshot.PartFiles.StateSize;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverviewTest {
    private static final long ENTRIES = 100;

    /** A subtask with one state in one file, which may be missing. */
    private record Part(String missing) implements KeyedPart {
        @Override
        public String format() {
            return "Drey";
        }

        @Override
        public int keyGroupFrom() {
            return 0;
        }

        @Override
        public int keyGroupTo() {
            return 9;
        }

        @Override
        public long bytes() {
            return 1_000;
        }

        @Override
        public List<StateInfo> states() {
            return List.of(StateInfo.unread("seen", StateForm.VALUE));
        }

        @Override
        public String problem() {
            return null;
        }

        @Override
        public PartFiles files() throws IOException {
            if (missing != null) {
                throw new IOException(missing);
            }
            return new PartFiles(
                    List.of(new PartFile("1.run", "young", 1_000, ENTRIES, -1)),
                    List.of(new StateSize("seen", ENTRIES, 1_000, Long.MIN_VALUE)));
        }

        @Override
        public boolean rows(RowScope scope, RowVisitor visitor) {
            return true;
        }

        @Override
        public List<FileCheck> checks() {
            return List.of();
        }
    }

    private static SnapshotOperator operator(String name, Part... parts) {
        List<SubtaskPart> keyed = new ArrayList<>();
        for (Part part : parts) {
            keyed.add(new SubtaskPart(keyed.size(), part));
        }
        return new SnapshotOperator("id of " + name, name, null, parts.length, 128, keyed, 0, List.of(), 0);
    }

    @Test
    void ofAnOperatorThatLacksAFileOnlyTheSizesAreUnknownAndTheOthersAreShown() {
        Overview overview = Overview.of(new Snapshot(
                Path.of("chk-1"),
                "checkpoint",
                1,
                List.of(
                        operator("torn", new Part(null), new Part("cannot open run 2.run of operator torn, subtask 1")),
                        operator("whole", new Part(null)))));
        String damage = "Cannot open run 2.run of operator torn, subtask 1.";
        assertThat(overview.damages()).containsExactly(damage);
        assertThat(overview.operators())
                .extracting(Overview.OperatorView::name, Overview.OperatorView::problem)
                .containsExactly(tuple("torn", damage), tuple("whole", null));
        assertThat(overview.operators().stream().flatMap(each -> each.states().stream()))
                .extracting(StateView::entriesAtMost)
                .containsExactly(-1L, ENTRIES);
    }
}
