package io.drey.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.terminal.ProgressLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class CompareProgressTest {
    private final StringWriter out = new StringWriter();
    private final CompareProgress progress =
            new CompareProgress(new ProgressLine(new PrintWriter(out), false, Integer.MAX_VALUE, 1));

    @Test
    void aFillSaysWhichPartIsThere() {
        progress.progress("fill", 222, 0.253, 6971);

        assertThat(out.toString().trim()).isEqualTo(": fill 222 s, 25 %, 6971/s");
    }

    @Test
    void aPhaseOfUnknownLengthSaysItsTimeOnly() {
        progress.progress("start", 3, -1, 0);

        assertThat(out.toString().trim()).isEqualTo(": start 3 s");
    }
}
