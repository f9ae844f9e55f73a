package io.drey.files.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Storage with fewer connections than there are files: Flink's {@code fs.<scheme>.limit.input} lets whoever opens one
 * more stream wait until another is closed, for ever.
 */
@Timeout(60)
class FewConnectionsTest {
    private static final int RANGE = 16 << 10;
    private static final int BYTES = 40 * RANGE + 77;
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

    private final FarFiles far = new FarFiles();
    private final MemoryDirectory memory = new MemoryDirectory();
    private final DiskSet local = new DiskSet(List.of(memory), 0, () -> 0);
    private final CountDownLatch whole = new CountDownLatch(1);
    private final Downloads.Listener listener = new Downloads.Listener() {
        @Override
        public void whole(long nanos) {
            whole.countDown();
        }

        @Override
        public void failed(IOException cause) {
            throw new IllegalStateException(cause);
        }
    };

    private byte[] put(Downloads downloads, String name) throws IOException {
        byte[] bytes = new byte[BYTES];
        new SplittableRandom(name.hashCode()).nextBytes(bytes);
        far.put(name, bytes);
        local.add(downloads, far.file(name), FileChecksum.NONE);
        return bytes;
    }

    private byte[] read(String name, long position, int length) throws IOException {
        try (ReadableFile file = local.open(name)) {
            ByteBuffer buffer = ByteBuffer.allocate(length);
            file.read(position, buffer);
            return buffer.array();
        }
    }

    private Downloads downloads() {
        return new Downloads(Downloads.Limits.DEFAULT, System::nanoTime, listener);
    }

    @Test
    void nobodyWaitsForStreamsThatNobodyUses() throws IOException {
        far.connections(2);
        try (Downloads downloads = downloads()) {
            for (String name : NAMES) {
                byte[] bytes = put(downloads, name);
                assertThat(read(name, 3, 10)).isEqualTo(Arrays.copyOfRange(bytes, 3, 13));
            }
            assertThat(far.openMost).hasValue(2);
        }
        assertThat(far.open()).isZero();
    }

    @Test
    void allFilesComeWhileOthersAreRead() throws Exception {
        far.connections(3);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (Downloads downloads = downloads()) {
            ArrayDeque<byte[]> contents = new ArrayDeque<>();
            for (String name : NAMES) {
                contents.add(put(downloads, name));
            }
            for (String name : NAMES) {
                read(name, BYTES - 1, 1);
            }
            downloads.begin(threads, 4);
            for (String name : NAMES) {
                read(name, BYTES / 2, 1);
            }
            assertThat(whole.await(50, TimeUnit.SECONDS)).isTrue();
            for (String name : NAMES) {
                assertThat(memory.content(name)).isEqualTo(contents.remove());
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(far.open()).isZero();
    }
}
