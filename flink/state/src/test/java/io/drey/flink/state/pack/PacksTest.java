package io.drey.flink.state.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.upload.Writes.Attempt;
import io.drey.flink.state.simulation.SimulatedTime;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PacksTest {
    private static final long MS = 1_000_000;

    @TempDir
    java.nio.file.Path directory;

    private final JobID job = new JobID();
    private final Packs packs = new Packs(100, 250);
    private final Object one = new Object();
    private final Object two = new Object();
    private final List<StreamStateHandle> trash = new ArrayList<>();
    private long now = 1;
    private final SimulatedTime time = new SimulatedTime(() -> now += MS);

    private record File(String name, long bytes) implements Packs.Section {
        @Override
        public void copyTo(CheckpointStateOutputStream out, Attempt attempt) {
            throw new UnsupportedOperationException("nothing is written here");
        }
    }

    private Packs.Key key(long first) {
        return new Packs.Key(job, new Path(directory.toUri()), first);
    }

    private PackUpload join(Object store, String... names) {
        return packs.join(
                key(5), store, Stream.of(names).map(name -> new File(name, 60)).toList(), true, time);
    }

    /** What an attempt does that writes all that is wanted. */
    private Path write(Pack pack) throws IOException {
        Path path = new Path(pack.directory(), pack.name());
        Files.createFile(java.nio.file.Path.of(path.toUri()));
        Map<String, Long> offsets = new HashMap<>();
        long at = 0;
        for (Packs.Section section : pack.sections()) {
            offsets.put(section.name(), at);
            at += section.bytes();
        }
        FileStateHandle handle = new FileStateHandle(path, at);
        pack.attempted(handle, new Pack.Attempted(offsets, Map.of(), at));
        pack.won(handle, trash::add);
        return path;
    }

    private boolean exists(Path path) {
        return Files.exists(java.nio.file.Path.of(path.toUri()));
    }

    /** Both are known, so that neither is alone. */
    private void meet() {
        for (Object store : List.of(one, two)) {
            packs.comes(task(), store);
            packs.went(store);
        }
    }

    private Packs.Task task() {
        return new Packs.Task(job, ExecutionAttemptID.randomId());
    }

    /** Begins a checkpoint at stores whose operators are chained. */
    private void come(Object... chained) {
        Packs.Task task = task();
        Stream.of(chained).forEach(store -> packs.comes(task, store));
    }

    private PackUpload joins(Object store, String... names) {
        PackUpload upload = join(store, names);
        packs.went(store);
        return upload;
    }

    /** Waits for the packs of an upload, which are closed at once. */
    private List<Pack> closedAtOnce(PackUpload upload) throws Exception {
        long before = now;
        List<Pack> closed = upload.closed();
        assertThat(now - before).isLessThan(Packs.WAIT_NANOS);
        return closed;
    }

    /** Flink has their uploads run one after the other in one thread. */
    @Test
    void aStoreDoesNotWaitForThoseThatAreChainedToIt() throws Exception {
        Object three = new Object();
        Object four = new Object();
        come(one, two);
        come(three, four);
        PackUpload first = joins(one, "a");
        PackUpload third = joins(three, "c");
        Pack pack = closedAtOnce(first).get(0);
        assertThat(pack.sections()).hasSize(2);
        write(pack);
        assertThat(third.next()).isEmpty();
        PackUpload second = joins(two, "b");
        PackUpload fourth = joins(four, "d");
        assertThat(closedAtOnce(second).get(0).sections()).hasSize(2);
        assertThat(fourth.closed()).isEmpty();
    }

    @Test
    void theLastOfAChainWaitsForTheLastOfAnother() throws Exception {
        Object three = new Object();
        come(one, two);
        come(three);
        joins(one, "a");
        long before = now;
        joins(two, "b", "c").closed();
        assertThat(now - before).isGreaterThanOrEqualTo(Packs.OPEN_NANOS_MAX / 2);
    }

    @Test
    void filesOfStoresThatHaveAllComeAreInOnePackAtOnce() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60)), true, time);
        PackUpload second = packs.join(key(6), two, List.of(new File("b", 60)), true, time);
        long before = now;
        List<Pack> mine = first.closed();
        assertThat(now - before).isLessThan(Packs.WAIT_NANOS);
        assertThat(mine).hasSize(1);
        assertThat(second.closed()).isEmpty();
        Path path = write(mine.get(0));
        assertThat(first.next()).isEmpty();
        assertThat(second.next()).isEmpty();
        assertThat(first.take().get("a").maybeGetPath()).contains(path);
        assertThat(second.take().get("b").maybeGetPath()).contains(path);
        assertThat(first.take().get("a")).isNotEqualTo(second.take().get("b"));
    }

    @Test
    void aPackWaitsShortlyForStoresThatHaveNotCome() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60), new File("b", 60)), true, time);
        long before = now;
        assertThat(first.closed()).hasSize(1);
        assertThat(now - before).isGreaterThanOrEqualTo(Packs.WAIT_NANOS / 2).isLessThan(2 * Packs.WAIT_NANOS);
    }

    /** An upload may begin while its backend ends. */
    @Test
    void aStoreThatHasEndedIsNotWaitedForThoughItStillUploads() throws Exception {
        meet();
        packs.end(task(), one);
        join(one, "a", "b");
        PackUpload upload = packs.join(key(6), two, List.of(new File("c", 60), new File("d", 60)), true, time);
        long before = now;
        assertThat(upload.closed()).hasSize(1);
        assertThat(now - before).isLessThan(Packs.WAIT_NANOS / 2);
    }

    @Test
    void aFileAloneIsNoPack() throws Exception {
        PackUpload upload = join(one, "a");
        assertThat(upload.closed()).isEmpty();
        assertThat(upload.next()).isEmpty();
        assertThat(upload.unpacked()).containsExactly("a");
    }

    @Test
    void aPackIsFullSomeTime() throws Exception {
        PackUpload upload = join(one, "a", "b", "c", "d", "e", "f");
        assertThat(upload.closed()).hasSize(2);
    }

    @Test
    void checkpointsDoNotShareAPack() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60), new File("b", 60)), true, time);
        PackUpload second = packs.join(key(7), two, List.of(new File("c", 60), new File("d", 60)), true, time);
        List<Pack> mine = first.closed();
        List<Pack> others = second.closed();
        assertThat(mine).hasSize(1).doesNotContainAnyElementsOf(others);
        assertThat(others).hasSize(1);
    }

    @Test
    void anotherOneTakesOverWhatTheWriterGivesUp() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60), new File("b", 60)), true, time);
        PackUpload second = packs.join(key(6), two, List.of(new File("c", 60), new File("d", 60)), true, time);
        Pack pack = first.closed().get(0);
        first.close();
        assertThatThrownBy(first::next).isInstanceOf(CancellationException.class);
        first.leave(trash::add);
        assertThat(second.closed()).contains(pack);
        assertThat(pack.sections())
                .extracting(Packs.Section::name)
                .contains("c")
                .doesNotContain("a", "b");
    }

    @Test
    void nobodyWaitsForAPackThatStandsStill() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60)), true, time);
        PackUpload second = packs.join(key(6), two, List.of(new File("b", 60)), true, time);
        Pack pack = first.closed().get(0);
        assertThat(second.closed()).isEmpty();
        assertThat(second.next()).isEmpty();
        assertThat(second.unpacked()).containsExactly("b");
        assertThat(second.take()).isEmpty();
        write(pack);
        assertThat(first.take()).containsOnlyKeys("a");
    }

    @Test
    void anObjectGoesWithTheLastOfItsFiles() throws Exception {
        PackUpload upload = join(one, "a", "b");
        Path path = write(upload.closed().get(0));
        StreamStateHandle a = upload.take().get("a");
        StreamStateHandle b = upload.take().get("b");
        a.discardState();
        a.discardState();
        assertThat(exists(path)).isTrue();
        b.discardState();
        assertThat(exists(path)).isFalse();
    }

    @Test
    void anObjectThatNobodyWantsAnyMoreIsThrownAway() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60)), true, time);
        PackUpload second = packs.join(key(6), two, List.of(new File("b", 60)), true, time);
        Pack pack = first.closed().get(0);
        second.leave(trash::add);
        Path path = write(pack);
        first.leave(trash::add);
        assertThat(trash).hasSize(1);
        trash.get(0).discardState();
        assertThat(exists(path)).isFalse();
    }

    @Test
    void aPackThatIsHardlyOfUseIsNotListedFurther() throws Exception {
        PackUpload upload = join(one, "a", "b", "c");
        write(upload.closed().get(0));
        Map<String, StreamStateHandle> files = upload.take();
        SectionHandle.forget(files.get("a"));
        SectionHandle.forget(files.get("a"));
        assertThat(SectionHandle.isWorthListing(files.get("b"))).isTrue();
        SectionHandle.forget(files.get("b"));
        assertThat(SectionHandle.isWorthListing(files.get("c"))).isFalse();
    }

    @Test
    void aFileThatCannotBeReadFailsItsOwnStore() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60)), true, time);
        PackUpload second = packs.join(key(6), two, List.of(new File("b", 60)), true, time);
        Pack pack = first.closed().get(0);
        FileStateHandle handle = new FileStateHandle(new Path(pack.directory(), pack.name()), 60);
        IOException damaged = new UnreadableException("b is damaged", null);
        pack.attempted(handle, new Pack.Attempted(Map.of("a", 0L), Map.of("b", damaged), 60));
        pack.won(handle, trash::add);
        assertThatThrownBy(second::next).hasMessageContaining("b is damaged");
        assertThat(first.next()).isEmpty();
        assertThat(first.take()).containsOnlyKeys("a");
    }

    @Test
    void aPackThatCannotBeWrittenFailsAllThatWaitForIt() throws Exception {
        meet();
        PackUpload first = packs.join(key(6), one, List.of(new File("a", 60)), true, time);
        PackUpload second = packs.join(key(6), two, List.of(new File("b", 60)), true, time);
        Pack pack = first.closed().get(0);
        for (int i = 0; i < 3; i++) {
            pack.failed(new IOException("no space"));
        }
        first.leave(trash::add);
        assertThatThrownBy(second::next)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no space")
                .hasMessageContaining(directory.toString());
    }
}
