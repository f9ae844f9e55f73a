package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.task.LocalTrust;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.streaming.api.operators.BackendRestorerProcedure;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that give back other bytes than were written: noticed before anybody relies on them. */
class DamagedFilesTest {
    private static final int KEYS = 300;
    private static final int BITS_PER_FILE = 25;
    private static final long IN_FIRST_BLOCK = 8 * 60;

    @TempDir
    Path directory;

    @TempDir
    Path copy;

    private final SplittableRandom random = new SplittableRandom(7);
    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;
    private AllStates states;

    @BeforeEach
    void fill() throws Exception {
        fixture = new BackendFixture(directory);
        backend = fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
        states = new AllStates(backend, KEYS);
        states.fill();
    }

    @AfterEach
    void close() throws IOException {
        end(backend);
        fixture.close();
    }

    private static void end(AbstractKeyedStateBackend<?> ended) throws IOException {
        ended.close();
        ended.dispose();
    }

    private static void flip(Path file, long bit) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(bit >>> 3);
            int before = bytes.read();
            bytes.seek(bit >>> 3);
            bytes.write(before ^ 1 << (bit & 7));
        }
    }

    /** All but the empty file that is locked. */
    private List<Path> localFiles() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".lock"))
                    .toList();
        }
    }

    /** The first and last bit of a file and some between. */
    private List<Long> bits(Path file) throws IOException {
        long count = 8 * Files.size(file);
        List<Long> bits = new ArrayList<>(List.of(0L, count - 1));
        for (int i = 0; i < BITS_PER_FILE; i++) {
            bits.add(random.nextLong(count));
        }
        return bits;
    }

    @Test
    void aCheckpointOfADamagedFileFailsAndNamesIt() throws Exception {
        Map<String, String> expected = states.dump();
        fixture.checkpoint(backend, 1);
        long id = 2;
        assertThat(localFiles()).isNotEmpty();
        for (Path file : localFiles()) {
            for (long bit : bits(file)) {
                flip(file, bit);
                long checkpoint = id++;
                assertThatThrownBy(() -> fixture.fullCheckpoint(backend, checkpoint))
                        .as("bit %d of %s", bit, file.getFileName())
                        .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e))
                                .contains(file.getFileName().toString(), "the disk has damaged them"));
                flip(file, bit);
            }
        }
        KeyedStateHandle whole = fixture.fullCheckpoint(backend, id);
        AbstractKeyedStateBackend<String> restored =
                fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(whole));
        assertThat(new AllStates(restored, KEYS).dump()).isEqualTo(expected);
        end(restored);
    }

    @Test
    void aDamagedLocalCopyIsGivenUpForTheRemoteOne() throws Exception {
        Map<String, String> expected = states.dump();
        IncrementalRemoteKeyedStateHandle remote = (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1);
        IncrementalLocalKeyedStateHandle local = BackendFixture.localCopy(remote, copy);
        AbstractKeyedStateBackend<String> whole =
                fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(local));
        assertThat(new AllStates(whole, KEYS).dump()).isEqualTo(expected);
        end(whole);
        for (HandleAndLocalPath file : remote.getSharedState()) {
            Path path = copy.resolve(file.getLocalPath());
            for (long bit : bits(path)) {
                flip(path, bit);
                assertThatThrownBy(
                                () -> fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(local)))
                        .as("bit %d of %s", bit, path.getFileName())
                        .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e))
                                .contains(path.toString(), "it is damaged"));
                flip(path, bit);
            }
        }
        flip(copy.resolve(remote.getSharedState().get(0).getLocalPath()), 0);
        AbstractKeyedStateBackend<String> restored = new BackendRestorerProcedure<
                        AbstractKeyedStateBackend<String>, KeyedStateHandle>(
                        handles -> fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, handles),
                        new CloseableRegistry(),
                        "the keyed state")
                .createAndRestore(
                        List.of(StateObjectCollection.singleton(local), StateObjectCollection.singleton(remote)),
                        StateObject.StateObjectSizeStatsCollector.create());
        assertThat(new AllStates(restored, KEYS).dump()).isEqualTo(expected);
        end(restored);
    }

    private AbstractKeyedStateBackend<String> open(LocalTrust trust, KeyedStateHandle handle) throws IOException {
        return new SurroundedBackend()
                .trust(trust)
                .open(
                        new Configuration(),
                        fixture.parameters(
                                StringSerializer.INSTANCE,
                                new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1),
                                List.of(handle)));
    }

    /** To read all of it would take as long as the state is large; what is damaged is found where it is read. */
    @Test
    void aLocalCopyOfThisProcessIsTakenAsItIsUntilADamagedFileIsMet() throws Exception {
        Map<String, String> expected = states.dump();
        IncrementalRemoteKeyedStateHandle remote = (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1);
        LocalTrust trust = new LocalTrust();
        Path own = Files.createDirectory(copy.resolve(trust.name(UUID.randomUUID())));
        IncrementalLocalKeyedStateHandle local = BackendFixture.localCopy(remote, own);
        AbstractKeyedStateBackend<String> whole = open(trust, local);
        assertThat(new AllStates(whole, KEYS).dump()).isEqualTo(expected);
        end(whole);

        Path file = own.resolve(remote.getSharedState().get(0).getLocalPath());
        flip(file, IN_FIRST_BLOCK);
        AbstractKeyedStateBackend<String> damaged = open(trust, local);
        assertThatThrownBy(() -> new AllStates(damaged, KEYS).dump())
                .hasStackTraceContaining(file.getFileName() + " is damaged at byte");
        end(damaged);
        assertThatThrownBy(() -> open(trust, local))
                .hasStackTraceContaining(file.toString())
                .hasStackTraceContaining("it is damaged");
    }

    @Test
    void aLocalCopyOfAnotherLengthIsRefusedAtOnce() throws Exception {
        IncrementalRemoteKeyedStateHandle remote = (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1);
        LocalTrust trust = new LocalTrust();
        Path own = Files.createDirectory(copy.resolve(trust.name(UUID.randomUUID())));
        IncrementalLocalKeyedStateHandle local = BackendFixture.localCopy(remote, own);
        Path file = own.resolve(remote.getSharedState().get(0).getLocalPath());
        Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> open(trust, local)).hasStackTraceContaining("it is damaged");
        Files.delete(file);
        assertThatThrownBy(() -> open(trust, local)).hasStackTraceContaining("could not be fetched from " + file);
    }

    @Test
    void aDamagedUploadIsRefusedAndNamed() throws Exception {
        IncrementalRemoteKeyedStateHandle remote = (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1);
        HandleAndLocalPath file = remote.getSharedState().get(0);
        byte[] bytes = file.getHandle().asBytesIfInMemory().orElseThrow().clone();
        bytes[bytes.length / 2] ^= 1;
        file.replaceHandle(new ByteStreamStateHandle("damaged", bytes));
        assertThatThrownBy(() -> fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(remote)))
                .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e))
                        .contains(file.getLocalPath(), "restore from another checkpoint"));
    }
}
