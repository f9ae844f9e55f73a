package io.drey.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorTimeTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-9);

    @TempDir
    private Path process;

    private ProcessorTime time;

    @BeforeEach
    void aProcess() {
        ThreadGroups groups = new ThreadGroups();
        groups.tasks(List.of("last-seen -> digest"));
        time = new ProcessorTime(process, groups);
    }

    @Test
    void eachGroupHasWhatItUsedSinceTheLookBefore() throws IOException {
        thread(10, "java", 100);
        thread(11, "last-seen -> di", 200);
        thread(12, "rocksdb:low", 50);
        total(350);
        time.take();

        thread(10, "java", 101);
        thread(11, "last-seen -> di", 280);
        thread(12, "rocksdb:low", 60);
        thread(13, "rocksdb:high", 5);
        total(446);
        Map<String, Double> seconds = time.take();

        assertThat(seconds.keySet()).containsExactlyElementsOf(ThreadGroups.ALL);
        assertThat(seconds.get("task")).isEqualTo(0.80, EXACT);
        assertThat(seconds.get("background")).isEqualTo(0.15, EXACT);
        assertThat(seconds.get("gc")).isZero();
        assertThat(seconds.get("other")).isEqualTo(0.01, EXACT);
    }

    @Test
    void whatAThreadUsedThatEndedBetweenTwoLooksIsOther() throws IOException {
        thread(10, "drey-background-1", 100);
        total(100);
        time.take();

        Files.delete(process.resolve("task/10/stat"));
        Files.delete(process.resolve("task/10"));
        total(130);
        Map<String, Double> seconds = time.take();

        assertThat(seconds.get("background")).isZero();
        assertThat(seconds.get("other")).isEqualTo(0.30, EXACT);
    }

    @Test
    void aNumberThatWasGivenAgainIsANewThread() throws IOException {
        thread(10, "GC Thread#0", 100);
        total(100);
        time.take();

        thread(10, "GC Thread#1", 7);
        total(107);

        assertThat(time.take().get("gc")).isEqualTo(0.07, EXACT);
    }

    /** The kernel's list is in the order of numbers; only then is the first one the task. */
    @Test
    void aSecondThreadWithTheNameOfTheTaskIsTheBackends() throws IOException {
        thread(11, "last-seen -> di", 0);
        total(0);
        time.take();

        thread(11, "last-seen -> di", 40);
        thread(12, "last-seen -> di", 40);
        total(80);
        Map<String, Double> seconds = time.take();

        assertThat(seconds.get("task")).isEqualTo(0.40, EXACT);
        assertThat(seconds.get("background")).isEqualTo(0.40, EXACT);
    }

    @Test
    void withoutTheKernelsFilesNothingIsKnown() {
        assertThat(time.take()).isEmpty();
    }

    private void thread(int id, String name, long ticks) throws IOException {
        Path directory = Files.createDirectories(process.resolve("task/" + id));
        Files.writeString(directory.resolve("stat"), stat(id, name, ticks));
    }

    private void total(long ticks) throws IOException {
        Files.writeString(process.resolve("stat"), stat(1, "java", ticks));
    }

    private static String stat(int id, String name, long ticks) {
        return id + " (" + name + ") S 1 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0\n";
    }
}
