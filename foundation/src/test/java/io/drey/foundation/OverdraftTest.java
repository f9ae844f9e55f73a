package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OverdraftTest {
    @Test
    void whatCannotBeAllocatedIsNotCounted() {
        Overdraft overdraft = new Overdraft(100);
        // No system has so few bytes, as none has too many.
        assertThatThrownBy(() -> overdraft.borrow(-8)).isInstanceOf(IllegalArgumentException.class);
        assertThat(overdraft.bytes()).isZero();
    }

    @Test
    void moreThanTheLimitIsRefusedWithASentence() {
        Overdraft overdraft = new Overdraft(100);
        long address = overdraft.borrow(60);
        assertThatThrownBy(() -> overdraft.borrow(41))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining("at most 100 bytes");
        assertThat(overdraft.bytes()).isEqualTo(60);
        overdraft.repay(address, 60);
        assertThat(overdraft.bytes()).isZero();
    }

    @Test
    void whoCanWaitGetsWhatOthersGiveBack() throws Exception {
        Overdraft overdraft = new Overdraft(100);
        long address = overdraft.borrow(60);
        AtomicLong taken = new AtomicLong();
        Thread waiting = new Thread(() -> taken.set(overdraft.waiting().borrow(41)));
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        overdraft.repay(address, 60);
        waiting.join();
        assertThat(overdraft.bytes()).isEqualTo(41);
        overdraft.repay(taken.get(), 41);
    }

    @Test
    void nobodyWaitsForMoreThanThereIsNorForEver() {
        Overdraft overdraft = new Overdraft(100);
        assertThatThrownBy(() -> overdraft.waiting().borrow(101)).isInstanceOf(LentOutException.class);
        long address = overdraft.borrow(60);
        assertThatThrownBy(() -> overdraft.waiting(1_000_000).borrow(41)).isInstanceOf(LentOutException.class);
        overdraft.repay(address, 60);
        assertThat(overdraft.bytes()).isZero();
    }

    @Test
    void nobodyWaitsForWhatIsItsOwn() {
        Overdraft waiting = new Overdraft(100).waiting();
        long address = waiting.borrow(60);
        // Whoever waits notices that.
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiting.borrow(41)).isInstanceOf(LentOutException.class);
        assertThat(Thread.interrupted()).isTrue();
        waiting.repay(address, 60);
        assertThat(waiting.bytes()).isZero();
    }

    @Test
    void whoWaitsCanBeInterrupted() {
        Overdraft overdraft = new Overdraft(100);
        long address = overdraft.borrow(60);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> overdraft.waiting().borrow(41)).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        overdraft.repay(address, 60);
        assertThat(overdraft.bytes()).isZero();
    }

    /** A C library may keep it for each thread that had some, of which a container may not have as much. */
    @Test
    void whatIsGivenBackIsTheSystemsAgain() throws Exception {
        assumeThat(Files.isReadable(Path.of("/proc/self/status"))).isTrue();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Borrowing.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(Long.parseLong(said.strip())).as("kilobytes kept").isLessThan(100 << 10);
    }

    /** Large values in many threads, one after the other; says by how many kilobytes the process has grown. */
    static final class Borrowing {
        private static final int THREADS = 16;

        private Borrowing() {}

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
                                long whole = overdraft.borrow(bytes);
                                overdraft.repay(overdraft.borrow(bytes / 2), bytes / 2);
                                overdraft.repay(whole, bytes);
                            })
                            .get();
                }
            }
            System.out.println(residentKilobytes() - before);
            System.exit(0);
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
