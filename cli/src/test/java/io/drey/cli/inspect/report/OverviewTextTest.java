package io.drey.cli.inspect.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.inspect.report.Overview.OperatorView;
import io.drey.cli.inspect.report.Overview.StateView;
import io.drey.cli.inspect.report.Overview.SubtaskView;
import io.drey.cli.inspect.report.StateScan.StateFinding;
import io.drey.cli.inspect.snapshot.PartFiles.PartFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverviewTextTest {
    /** After a change of parallelism several subtasks list the same run, and each counts all of it. */
    @Test
    void entriesThatAScanDoesNotFindAreNotSaidToBeHiddenOnly() {
        assertThat(scanned("value", 200, 100))
                .contains(
                        "  seen: 100 of 200 entries in files are not counted above: newer ones hide them, they delete"
                                + " others, add to a list, or belong to keys of other subtasks. Compaction drops or joins them.");
    }

    @Test
    void nothingIsSaidOfAStateWhoseEntriesAreAllFoundOrOfTimers() {
        assertThat(scanned("value", 100, 100)).noneMatch(line -> line.contains("entries in files"));
        assertThat(scanned("timers", 200, 100)).noneMatch(line -> line.contains("entries in files"));
    }

    /** All tasks of a process share files of changes: the second one seemed to have no state. */
    @Test
    void filesThatSubtasksOfAChangelogShareAreSaidToBeCountedOnce() {
        List<SubtaskView> subtasks = List.of(
                new SubtaskView(0, 0, 63, 100, List.of(new PartFile("drey-1-1-1", "a changelog", 100, -1, -1))),
                new SubtaskView(1, 64, 127, 0, List.of()));
        OperatorView operator =
                new OperatorView("count", null, "1", 2, 128, "a changelog", 100, 0, 0, List.of(), subtasks, null);
        assertThat(OverviewText.lines(new Overview("chk-1", "checkpoint", 1, 100, List.of(operator), List.of())))
                .containsSubsequence(
                        "  subtask 1, key groups 64..127: -",
                        "  Files of changes that subtasks share are counted for the first of them only.");
    }

    private static List<String> scanned(String form, long inFiles, long found) {
        StateView state = new StateView("seen", form, "Long", null, "Long", false, inFiles, 4096, null);
        StateFinding finding =
                new StateFinding("seen", found, found, 800, 800, -1, new long[] {found}, List.of(), List.of());
        OperatorView operator =
                new OperatorView("last seen", null, "1", 2, 1, "Drey", 4096, 0, 0, List.of(state), List.of(), null);
        return OverviewText.lines(operator, List.of(finding));
    }
}
