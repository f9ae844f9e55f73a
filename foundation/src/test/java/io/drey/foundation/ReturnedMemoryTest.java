package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A C library may keep what was freed for each thread that had some, of which a container may not have as much. */
final class ReturnedMemoryTest {
    @Test
    void whatLargeValuesBorrowedIsTheSystemsAgain() throws Exception {
        assertThat(kilobytesKept("overdraft")).isLessThan(100 << 10);
    }

    /** As of a job that restarts: each attempt in a thread of its own. */
    @Test
    void theMemoryOfASlotIsTheSystemsAgain() throws Exception {
        assertThat(kilobytesKept("arena")).isLessThan(100 << 10);
    }

    private static long kilobytesKept(String use) throws Exception {
        assumeThat(Files.isReadable(Path.of("/proc/self/status"))).isTrue();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Using.class.getName(),
                        use)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return Long.parseLong(said.strip());
    }

    /** Much memory in many threads, one after the other; says by how many kilobytes the process has grown. */
    static final class Using {
        private static final int THREADS = 16;

        private Using() {}

        public static void main(String[] args) throws Exception {
            Overdraft overdraft = new Overdraft(64 << 20);
            long before = residentKilobytes();
            List<ExecutorService> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Executors.newSingleThreadExecutor());
            }
            Random random = new Random(1);
            for (int round = 0; round < 5; round++) {
                for (ExecutorService thread : threads) {
                    int bytes = (8 << 20) + random.nextInt(23 << 20);
                    thread.submit(() -> {
                                if (args[0].equals("arena")) {
                                    fill(bytes);
                                } else {
                                    borrow(overdraft, bytes);
                                }
                            })
                            .get();
                }
            }
            System.out.println(residentKilobytes() - before);
            System.exit(0);
        }

        private static void borrow(Overdraft overdraft, int bytes) {
            long whole = overdraft.borrow(bytes);
            overdraft.repay(overdraft.borrow(bytes / 2), bytes / 2);
            overdraft.repay(whole, bytes);
        }

        private static void fill(int bytes) {
            try (Arena arena = new Arena(bytes, 64 << 10)) {
                Memory.fill(arena.base(), arena.bytes(), (byte) 1);
            }
        }

        private static long residentKilobytes() throws IOException {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
