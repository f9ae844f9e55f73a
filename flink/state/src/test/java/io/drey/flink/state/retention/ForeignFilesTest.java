package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.EntropyFileSystem;
import io.drey.flink.state.changelog.FailingFileSystem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restored files of another job's directory are claimed before they are listed, or not listed. */
class ForeignFilesTest {
    private static final String NAMED = "drey-1-1-00000000000000aa";

    @TempDir
    Path base;

    private Path theirs;
    private FsCheckpointStreamFactory streams;

    @BeforeEach
    void directories() throws IOException {
        theirs = Files.createDirectories(base.resolve("theirs/shared"));
        Path ours = Files.createDirectories(base.resolve("ours/shared"));
        streams = new FsCheckpointStreamFactory(
                FileSystem.getLocalFileSystem(),
                new org.apache.flink.core.fs.Path(base.resolve("ours/chk-1").toUri()),
                new org.apache.flink.core.fs.Path(ours.toUri()),
                0,
                4096);
    }

    private static StreamStateHandle handle(Path directory, String name) {
        return new FileStateHandle(
                new org.apache.flink.core.fs.Path(directory.resolve(name).toUri()), 1);
    }

    private List<Path> claims(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void theClaimNamesTheDirectoryOfThoseThatList() throws IOException {
        StreamStateHandle file = handle(theirs, NAMED);
        ForeignFiles foreign = new ForeignFiles(List.of(file));
        assertThat(foreign.mayList(file)).isFalse();
        foreign.claim(streams);
        assertThat(foreign.mayList(file)).isTrue();
        assertThat(claims(theirs)).hasSize(1);
        assertThat(claims(theirs).get(0)).content().matches("drey claim 1\n.*/ours\n");
        new ForeignFiles(List.of(file)).claim(streams);
        assertThat(claims(theirs)).hasSize(1);
    }

    @Test
    void itsOwnFilesAndThoseOfFlinkNeedNone() throws IOException {
        StreamStateHandle own = handle(base.resolve("ours/shared"), NAMED);
        StreamStateHandle flinks = handle(theirs, "11111111-2222-3333-4444-555555555555");
        ForeignFiles foreign = new ForeignFiles(List.of(own, flinks));
        foreign.claim(streams);
        assertThat(foreign.mayList(own)).isTrue();
        assertThat(foreign.mayList(flinks)).isTrue();
        assertThat(claims(theirs)).isEmpty();
        assertThat(claims(base.resolve("ours/shared"))).isEmpty();
    }

    @Test
    void whatCannotBeClaimedIsNotListed() throws IOException {
        Path gone = base.resolve("file");
        Files.writeString(gone, "where a directory was");
        StreamStateHandle file = handle(gone, NAMED);
        ForeignFiles foreign = new ForeignFiles(List.of(file));
        foreign.claim(streams);
        assertThat(foreign.mayList(file)).isFalse();
    }

    @Test
    void aJobWithoutADirectoryListsNoForeignFiles() throws IOException {
        StreamStateHandle file = handle(theirs, NAMED);
        ForeignFiles foreign = new ForeignFiles(List.of(file));
        foreign.claim(new MemCheckpointStreamFactory(1 << 20));
        assertThat(foreign.mayList(file)).isFalse();
        assertThat(claims(theirs)).isEmpty();
    }

    @Test
    void afterAFullCheckpointNothingIsClaimed() throws IOException {
        StreamStateHandle file = handle(theirs, NAMED);
        ForeignFiles foreign = new ForeignFiles(List.of(file));
        foreign.forget();
        foreign.claim(streams);
        assertThat(claims(theirs)).isEmpty();
        assertThat(foreign.mayList(file)).isFalse();
    }

    /** A job that keeps its directory, restored from a checkpoint there that is not its own. */
    @Test
    void newFilesInADirectoryThatWasRestoredFromAreListedAfterAFullCheckpoint() {
        Path ours = base.resolve("ours/shared");
        ForeignFiles foreign = new ForeignFiles(List.of(handle(ours, NAMED), handle(theirs, NAMED)));
        foreign.forget();
        foreign.claim(streams);
        assertThat(foreign.mayList(handle(ours, "drey-2-1-00000000000000bb"))).isTrue();
        assertThat(foreign.mayList(handle(theirs, NAMED))).isFalse();
    }

    @Test
    void manyDirectoriesAreNotClaimed() throws IOException {
        List<StreamStateHandle> files = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            files.add(handle(Files.createDirectories(base.resolve("job" + i + "/shared")), NAMED));
        }
        ForeignFiles foreign = new ForeignFiles(files);
        foreign.claim(streams);
        assertThat(files).noneMatch(foreign::mayList);
        files.add(handle(base.resolve("ours/shared"), NAMED));
        ForeignFiles withOwn = new ForeignFiles(files);
        withOwn.claim(streams);
        assertThat(files).filteredOn(withOwn::mayList).containsExactly(files.get(17));
    }

    /** Also after many restores: each file is in a directory of its own. */
    @Test
    void whatEntropySpreadsIsNotClaimedButWhatAnotherDirectoryHoldsIs() throws IOException {
        String place = EntropyFileSystem.SCHEME + "://" + base;
        FsCheckpointStreamFactory spreading = new FsCheckpointStreamFactory(
                new EntropyFileSystem(),
                new org.apache.flink.core.fs.Path(place + "/_entropy_/jobs/ours/chk-1"),
                new org.apache.flink.core.fs.Path(place + "/_entropy_/jobs/ours/shared"),
                0,
                4096);
        List<StreamStateHandle> files = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Path spread = base.resolve("e" + i + (i % 2 == 0 ? "/jobs/ours/shared" : "/jobs/others/shared"));
            Files.createDirectories(spread);
            files.add(new FileStateHandle(
                    new org.apache.flink.core.fs.Path(EntropyFileSystem.SCHEME + "://" + spread + "/" + NAMED), 1));
        }
        StreamStateHandle file = handle(theirs, NAMED);
        files.add(file);
        ForeignFiles foreign = new ForeignFiles(files);
        assertThat(foreign.mayList(files.get(0))).isFalse();
        foreign.claim(spreading);
        assertThat(files).allMatch(foreign::mayList);
        assertThat(claims(theirs)).hasSize(1);
        assertThat(claims(base.resolve("e0/jobs/ours/shared"))).isEmpty();
        assertThat(claims(base.resolve("e1/jobs/others/shared"))).isEmpty();
    }

    @Test
    void aFewSpreadDirectoriesAreNotClaimedEither() throws IOException {
        String place = EntropyFileSystem.SCHEME + "://" + base;
        Path spread = Files.createDirectories(base.resolve("e7/jobs/ours/shared"));
        StreamStateHandle file = new FileStateHandle(
                new org.apache.flink.core.fs.Path(EntropyFileSystem.SCHEME + "://" + spread + "/" + NAMED), 1);
        ForeignFiles foreign = new ForeignFiles(List.of(file));
        foreign.claim(new FsCheckpointStreamFactory(
                new EntropyFileSystem(),
                new org.apache.flink.core.fs.Path(place + "/_entropy_/jobs/ours/chk-1"),
                new org.apache.flink.core.fs.Path(place + "/_entropy_/jobs/ours/shared"),
                0,
                4096));
        assertThat(foreign.mayList(file)).isTrue();
        assertThat(claims(spread)).isEmpty();
    }

    private StreamStateHandle failing() {
        return new FileStateHandle(
                new org.apache.flink.core.fs.Path(FailingFileSystem.SCHEME + "://" + theirs + "/" + NAMED), 1);
    }

    @Test
    void aClaimThatIsInterruptedIsMadeByTheNextCheckpoint() {
        for (IOException interruption : List.of(
                new InterruptedIOException(),
                new ClosedByInterruptException(),
                new IOException("not closed", new ClosedByInterruptException()),
                new IOException("not written", new InterruptedException()))) {
            StreamStateHandle file = failing();
            ForeignFiles foreign = new ForeignFiles(List.of(file));
            FailingFileSystem.UNANSWERED.set(interruption);
            assertThatThrownBy(() -> foreign.claim(streams)).isInstanceOf(UncheckedIOException.class);
            foreign.claim(streams);
            assertThat(foreign.mayList(file)).isTrue();
        }
    }

    @Test
    void ofAClaimThatWasInterruptedNoPartStays() throws IOException {
        StreamStateHandle file = handle(theirs, NAMED);
        new ForeignFiles(List.of(file)).claim(streams);
        Path claim = claims(theirs).get(0);
        String whole = Files.readString(claim);
        Files.writeString(claim, whole.substring(0, 20));
        new ForeignFiles(List.of(file)).claim(streams);
        assertThat(claim).content().isEqualTo(whole);
    }

    @Test
    void anyFailureOfAClaimIsAnInterruptionIfTheThreadIsInterrupted() {
        StreamStateHandle file = failing();
        ForeignFiles foreign = new ForeignFiles(List.of(file));
        FailingFileSystem.UNANSWERED.set(new IOException("closed"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> foreign.claim(streams)).isInstanceOf(UncheckedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        foreign.claim(streams);
        assertThat(foreign.mayList(file)).isTrue();
    }

    /** As S3A says that no connection became free: the client's own exception has this class as its parent. */
    private static IOException noConnection() {
        InterruptedIOException failure = new InterruptedIOException("getFileStatus: timeout waiting for connection");
        failure.initCause(new RuntimeException("no request was sent", new SocketTimeoutException("from pool") {}));
        return failure;
    }

    @Test
    void aStorageThatFailsByItselfInterruptsNoCheckpoint() {
        for (Exception failure :
                List.of(new SocketTimeoutException("timed out"), new IllegalStateException("denied"), noConnection())) {
            StreamStateHandle file = failing();
            ForeignFiles foreign = new ForeignFiles(List.of(file));
            FailingFileSystem.UNANSWERED.set(failure);
            foreign.claim(streams);
            foreign.claim(streams);
            assertThat(foreign.mayList(file)).isFalse();
        }
    }
}
