package io.drey.cli.inspect.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.inspect.report.Overview.OperatorView;
import io.drey.cli.inspect.report.Overview.StateView;
import io.drey.cli.inspect.report.StateScan.StateFinding;
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

    private static List<String> scanned(String form, long inFiles, long found) {
        StateView state = new StateView("seen", form, "Long", null, "Long", false, inFiles, 4096, null);
        StateFinding finding =
                new StateFinding("seen", found, found, 800, 800, -1, new long[] {found}, List.of(), List.of());
        OperatorView operator =
                new OperatorView("last seen", null, "1", 2, 1, "Drey", 4096, 0, 0, List.of(state), List.of(), null);
        return OverviewText.lines(operator, List.of(finding));
    }
}
