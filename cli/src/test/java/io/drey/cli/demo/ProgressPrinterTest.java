package io.drey.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** One line that is written over on a terminal, a line now and then elsewhere. */
class ProgressPrinterTest {
    private static final String ERASE = "\r\u001B[K";

    private final StringWriter text = new StringWriter();
    private final PrintWriter out = new PrintWriter(text);

    private final Progress progress = new Progress(
            1_550_000,
            OptionalLong.of(152_400),
            OptionalLong.of(12_900_000),
            "memory",
            OptionalLong.of(128 << 20),
            new CheckpointSummary(
                    3,
                    0,
                    Duration.ofMillis(700),
                    Duration.ofMillis(900),
                    new CheckpointSummary.Completed(7, Duration.ofMillis(800), 1 << 20, 3 << 20, "file:/chk-7"),
                    null));
    private final Progress starting = new Progress(
            0, OptionalLong.empty(), OptionalLong.empty(), "memory", OptionalLong.empty(), CheckpointSummary.NONE);

    @Test
    void aLineSaysWhatIsGoingOn() {
        assertThat(ProgressPrinter.line(progress, 3_100_000))
                .isEqualTo(" 50%  1.6M of 3.1M events  152k/s  disk 12.3 MB  memory 128 MB  "
                        + "checkpoint 7: 800 ms, 3.0 MB");
        assertThat(ProgressPrinter.line(starting, 3_100_000))
                .isEqualTo("  0%  0 of 3.1M events  starting  no checkpoint yet");
    }

    @Test
    void aTerminalHasOneLineThatFits() {
        ProgressPrinter printer = new ProgressPrinter(out, true, 30);
        printer.show(starting, 100);
        printer.show(progress, 3_100_000);
        printer.say("Something.");
        printer.end();

        assertThat(text)
                .hasToString(ERASE + "  0%  0 of 100 events  starti" + ERASE + " 50%  1.6M of 3.1M events  15" + ERASE
                        + "Something." + System.lineSeparator());
    }

    @Test
    void elsewhereEveryFifthMomentIsALine() {
        ProgressPrinter printer = new ProgressPrinter(out, false, 30);
        for (int i = 0; i < 6; i++) {
            printer.show(starting, 100);
        }
        printer.end();

        assertThat(text.toString().lines())
                .containsExactly(ProgressPrinter.line(starting, 100), ProgressPrinter.line(starting, 100));
    }
}
