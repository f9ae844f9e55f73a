package io.drey.files.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.disks.DiskSet;
import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;

/** A restore that tests step through: files far away, a disk here, and the background as steps of theirs. */
abstract class FarRestore {
    static final int RANGE = 16 << 10;
    static final int BYTES = 5 * RANGE + 77;

    int streamsMax = 3;
    final FarFiles far = new FarFiles();
    final MemoryDirectory memory = new MemoryDirectory();
    final FaultyDirectory disk = new FaultyDirectory(memory);
    final DiskSet local = new DiskSet(List.of(disk), 0, () -> 0);
    final ArrayDeque<Runnable> steps = new ArrayDeque<>();
    final List<String> told = new ArrayList<>();
    final Downloads.Listener listener = new Downloads.Listener() {
        @Override
        public void whole(long nanos) {
            told.add("whole");
        }

        @Override
        public void failed(IOException cause) {
            told.add(cause.getMessage());
        }
    };

    final Downloads downloads =
            new Downloads(new Downloads.Limits(RANGE, streamsMax, 3, 1), System::nanoTime, listener);

    @AfterEach
    void everythingIsClosed() throws IOException {
        downloads.close();
        assertThat(far.open()).isZero();
        assertThat(memory.openFiles()).isZero();
        assertThat(far.openMost.get()).isLessThanOrEqualTo(streamsMax);
    }

    byte[] put(String name, int length) throws IOException {
        byte[] bytes = new byte[length];
        new SplittableRandom(name.hashCode()).nextBytes(bytes);
        far.put(name, bytes);
        local.add(downloads, far.file(name), sum(bytes));
        return bytes;
    }

    static long sum(byte[] bytes) {
        FileChecksum sum = new FileChecksum();
        sum.add(bytes, 0, bytes.length);
        return sum.value();
    }

    byte[] read(String name, long position, int length) throws IOException {
        try (ReadableFile file = local.open(name)) {
            ByteBuffer buffer = ByteBuffer.allocate(length);
            file.read(position, buffer);
            return buffer.array();
        }
    }

    void runAll() {
        Runnable step;
        while ((step = steps.poll()) != null) {
            step.run();
        }
    }

    /** So many pieces of the background's work. */
    void run(int pieces) {
        for (int piece = 0; piece < pieces; piece++) {
            steps.remove().run();
        }
    }

    void expect(String name, int range) throws IOException {
        expect(name, range, 2);
    }

    void expect(String name, int range, int ranges) throws IOException {
        try (ReadableFile file = local.open(name)) {
            file.expect((long) range * RANGE, (long) ranges * RANGE);
        }
    }
}
