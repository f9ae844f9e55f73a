package io.drey.bench.cell;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.result.ProcessSample;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CellPartsTest {
    private static final long WAIT_SECONDS_MAX = 60;
    private static final ProcessSample.Io NONE = new ProcessSample.Io(0, 0, 0, 0);

    @Test
    void aLineOfProgressComesBackAsItWas() {
        CellMoment moment = new CellMoment("fill", 3.5, 0.125, 98765);

        assertThat(moment.text()).isEqualTo("progress fill 3.5 0.125 98765");
        assertThat(CellMoment.parse(moment.text())).isEqualTo(moment);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "progress",
                "progress fill x 1 2",
                "WARNING: An illegal reflective access operation",
                "a b c d e"
            })
    void otherLinesAreNoProgress(String line) {
        assertThat(CellMoment.parse(line)).isNull();
    }

    @Test
    void fullSpeedBeginsWithTheFirstFastSecond() {
        List<ProcessSample> samples = new ArrayList<>();
        long[] events = {0, 10, 500, 950, 400, 1000, 1010, 990};
        for (int i = 0; i < events.length; i++) {
            samples.add(sample(i + 1, i >= 5, events[i]));
        }

        assertThat(FullSpeed.millis(samples, 1200)).isEqualTo(3000);
        assertThat(FullSpeed.millis(samples, 3400)).isEqualTo(3400);
        assertThat(FullSpeed.millis(samples.subList(0, 5), 1200)).isEqualTo(-1);
    }

    private static ProcessSample sample(double second, boolean measured, long events) {
        return new ProcessSample(second, 1, measured, events, Map.of(), null, -1, 0, 0, 0, NONE, null, null);
    }

    @Test
    void theRootOfAFailureIsItsSentence() {
        Exception root = new IllegalStateException("Expected 4 bytes, found 3.\nand more");
        Exception outer = new ExecutionException(new SerializedThrowable(new RuntimeException("outer", root)));

        assertThat(CellRun.sentence(outer))
                .isEqualTo("The job failed: IllegalStateException: Expected 4 bytes, found 3.");
        assertThat(CellRun.sentence(new CellException("As it is.", root))).isEqualTo("As it is.");
    }

    @Test
    void ofAFullDiskWhatDreySaysIsTold() {
        Exception root = new IOException("No space left on device");
        Exception ours = new DreyException("expected room in a local directory, found all of them full", root);
        Exception outer = new ExecutionException(new SerializedThrowable(new RuntimeException("outer", ours)));

        assertThat(CellRun.sentence(outer))
                .isEqualTo(
                        "The job failed: DreyException: expected room in a local directory, found all of them full.");
    }

    @Test
    void memoryThatWasTooSmallIsNamed() {
        Exception outer = new ExecutionException(
                new SerializedThrowable(new RuntimeException(new OutOfMemoryError("Java heap space"))));

        assertThat(CellRun.sentence(outer))
                .matches("Out of memory, with a heap of \\d+ MB: .*OutOfMemoryError: Java heap space\\.");
    }

    @Test
    void anArchiveOfClassesIsOfJarsOnly() {
        String separator = System.getProperty("path.separator");

        assertThat(ChildCommand.jarsOnly(String.join(separator, "classes", "lib/a.jar", "lib/b.jar")))
                .isEqualTo(String.join(separator, "lib/a.jar", "lib/b.jar"));
    }

    /** Not into the directory of whoever compares. */
    @Test
    void aVirtualMachineThatCrashesLeavesItsReportBesideItsLog() {
        assertThat(ChildCommand.java(List.of("-Xmx1g"), Path.of("/logs/worker.log")))
                .contains("-XX:ErrorFile=" + Path.of("/logs/hs_err_pid%p.log").toAbsolutePath());
    }

    @Test
    void jarsComeBeforeTheClassPathSoThatTheirVersionOfAClassIsUsed() {
        String separator = System.getProperty("path.separator");

        assertThat(ChildCommand.classPath(List.of("/a b.jar", "/c.jar"), "classes" + separator + "lib/*"))
                .isEqualTo(String.join(separator, "/a b.jar", "/c.jar", "classes", "lib/*"));
    }

    @Test
    void aBrokenPipeIsNoticed() throws Exception {
        CompletableFuture<Void> nobodyReads = new CompletableFuture<>();
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        PrintStream out = new PrintStream(broken, true, StandardCharsets.UTF_8);
        CellProgress progress = new CellProgress(out, () -> nobodyReads.complete(null));

        nobodyReads.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);

        progress.close();
    }
}
