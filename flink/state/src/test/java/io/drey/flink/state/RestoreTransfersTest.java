package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores by State Processor, whose executor runs in the calling thread. */
class RestoreTransfersTest {
    private static final int KEYS = 2_000;

    @TempDir
    Path directory;

    private final CountDownLatch two = new CountDownLatch(2);
    private final Set<Thread> fetching = ConcurrentHashMap.newKeySet();

    @Test
    void filesAreFetchedBesideEachOtherWhereTheExecutorHasNoThreads() throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory, Executors.newDirectExecutorService())) {
            fixture.storage(directory.resolve("storage"));
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            AllStates states = new AllStates(backend, KEYS);
            states.fill();
            fixture.completed(backend);
            states.fill();
            Map<String, String> expected = states.dump();
            IncrementalRemoteKeyedStateHandle handle = (IncrementalRemoteKeyedStateHandle) fixture.completed(backend);
            AbstractKeyedStateBackend<String> restored =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of(waitingForTwo(handle)));
            assertThat(new AllStates(restored, KEYS).dump()).isEqualTo(expected);
            for (AbstractKeyedStateBackend<String> each : List.of(backend, restored)) {
                each.close();
                each.dispose();
            }
        }
        for (Thread thread : fetching) {
            if (thread != Thread.currentThread()) {
                thread.join();
            }
        }
    }

    private KeyedStateHandle waitingForTwo(IncrementalRemoteKeyedStateHandle handle) {
        return new IncrementalRemoteKeyedStateHandle(
                handle.getBackendIdentifier(),
                handle.getKeyGroupRange(),
                handle.getCheckpointId(),
                handle.getSharedState().stream()
                        .map(file -> HandleAndLocalPath.of(waitingForTwo(file.getHandle()), file.getLocalPath()))
                        .toList(),
                handle.getPrivateState(),
                handle.getMetaDataStateHandle());
    }

    private StreamStateHandle waitingForTwo(StreamStateHandle handle) {
        return handle instanceof FileStateHandle file
                ? new FileStateHandle(file.getFilePath(), file.getStateSize()) {
                    @Override
                    public FSDataInputStream openInputStream() throws IOException {
                        awaitTwo();
                        return super.openInputStream();
                    }
                }
                : handle;
    }

    /** A file that waits alone fails. */
    private void awaitTwo() throws IOException {
        fetching.add(Thread.currentThread());
        two.countDown();
        try {
            if (!two.await(60, TimeUnit.SECONDS)) {
                throw new IOException("expected two files under way at a time, found one");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while one file waits for another");
        }
    }
}
