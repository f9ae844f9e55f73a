package io.drey.cli.inspect.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.drey.cli.inspect.report.StateScan.Large;
import io.drey.cli.inspect.report.StateScan.StateFinding;
import io.drey.cli.inspect.row.StateForm;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.row.StateRow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of entries until all of them were read. */
class StateScanTest {
    private static final StateInfo STATE = StateInfo.unread("s", StateForm.VALUE);

    private static StateRow row(int keyBytes) {
        return new StateRow(STATE, 0, new byte[keyBytes], new byte[0], null, new byte[1]);
    }

    @Test
    void ofVeryLongKeysTheBeginIsKept() {
        StateScan scan = new StateScan(1, Long.MIN_VALUE);
        scan.visit(row(2));
        scan.visit(row(10_000_000));
        List<StateFinding> findings = scan.findings();
        assertThat(findings).singleElement().extracting(StateFinding::keys).isEqualTo(2L);
        assertThat(findings.get(0).largestKeys())
                .extracting(Large::bytes, large -> large.key().length())
                .containsExactly(tuple(10_000_001L, 1_003), tuple(3L, 6));
        assertThat(findings.get(0).largestValues().get(0).key())
                .startsWith("0x00")
                .endsWith("0...");
    }
}
