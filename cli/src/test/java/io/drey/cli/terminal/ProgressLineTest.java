package io.drey.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** One line that is written over on a terminal, a line now and then elsewhere. */
class ProgressLineTest {
    private static final String ERASE = "\r\u001B[K";

    private final StringWriter text = new StringWriter();
    private final PrintWriter out = new PrintWriter(text);

    @Test
    void aTerminalHasOneLineThatFits() {
        ProgressLine line = new ProgressLine(out, true, 10, 5);
        line.show("short");
        line.show("longer than that");
        line.say("Something.");
        line.end();

        assertThat(text)
                .hasToString(ERASE + "short" + ERASE + "longer th" + ERASE + "Something." + System.lineSeparator());
    }

    @Test
    void elsewhereEveryFifthMomentIsALine() {
        ProgressLine line = new ProgressLine(out, false, 10, 5);
        for (int i = 0; i < 11; i++) {
            line.show("moment " + i);
        }
        line.end();

        assertThat(text.toString().lines()).containsExactly("moment 4", "moment 9");
    }
}
