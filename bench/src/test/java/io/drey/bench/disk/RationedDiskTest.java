package io.drey.bench.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.nio.file.ExtendedOpenOption;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real disk of 64 MB. The times are lower bounds that a ration implies; how fast the machine is does not matter. */
final class RationedDiskTest {
    private static final long SIZE_BYTES = 64 << 20;
    private static final int BLOCK_BYTES = 16 << 10;
    private static final int BLOCKS = 1024;
    private static final int BUFFER_ALIGNMENT = 4096;
    private static final long IOPS = 200;
    private static final Comparison.Disk RATION = new Comparison.Disk(IOPS, 0, IOPS, 0);

    @TempDir
    Path directory;

    private String number = "none";

    private final ByteBuffer block =
            ByteBuffer.allocateDirect(BLOCK_BYTES + BUFFER_ALIGNMENT).alignedSlice(BUFFER_ALIGNMENT);

    @BeforeEach
    void canRun() {
        assumeTrue(RationedDisk.whyNot().isEmpty(), RationedDisk.whyNot());
    }

    private Path image() {
        return directory.resolve("test" + RationedDisk.IMAGE_ENDING);
    }

    private RationedDisk create(Comparison.Disk ration) throws IOException {
        RationedDisk disk = RationedDisk.create(image(), directory.resolve("mount"), SIZE_BYTES, ration);
        number = Files.readString(Path.of("/sys/block", disk.device(), "dev")).strip();
        return disk;
    }

    private FileChannel fill(RationedDisk disk) throws IOException {
        FileChannel channel = FileChannel.open(
                disk.directory().resolve("file"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                ExtendedOpenOption.DIRECT);
        for (int i = 0; i < BLOCKS; i++) {
            write(channel, i);
        }
        return channel;
    }

    private void write(FileChannel channel, int index) throws IOException {
        block.clear().limit(BLOCK_BYTES);
        block.putInt(0, index);
        assertThat(channel.write(block, (long) index * BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
    }

    private void read(FileChannel channel, int index) throws IOException {
        block.clear().limit(BLOCK_BYTES);
        assertThat(channel.read(block, (long) index * BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
        assertThat(block.getInt(0)).isEqualTo(index);
    }

    @Test
    void aDiskWithoutCreditsDoesItsRation() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        try (RationedDisk disk = create(RATION);
                FileChannel channel = fill(disk)) {
            LoopDevice device = LoopDevice.attachedAt(directory).get(0);
            assertThat(device.name()).isEqualTo(disk.device());
            disk.limit();
            ProcessSample.Io before = device.counts();
            int ios = 400;
            long start = System.nanoTime();
            for (int i = 0; i < ios; i++) {
                if (i % 4 == 3) {
                    write(channel, random.nextInt(BLOCKS));
                } else {
                    read(channel, random.nextInt(BLOCKS));
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            ProcessSample.Io done = device.counts().since(before);
            assertThat(done.readIos()).isGreaterThanOrEqualTo(300);
            assertThat(done.writeIos()).isGreaterThanOrEqualTo(100);
            assertThat(seconds).isGreaterThan(0.7 * ios / IOPS);
            assertThat(disk.credits()).isLessThanOrEqualTo(0.2 * IOPS);
            assertThat(limits()).hasSize(2);
            disk.unlimit();
            assertThat(limits()).isEmpty();
        }
        assertNothingIsLeft();
    }

    @Test
    void whatWasWrittenIsReadFromTheDiskOnceItIsForgotten() throws IOException {
        byte[] bytes = new byte[64 * BLOCK_BYTES];
        try (RationedDisk disk = create(new Comparison.Disk(100_000, 0, 100_000, 0))) {
            Path file = Files.write(disk.directory().resolve("written"), bytes);
            LoopDevice device = LoopDevice.attachedAt(directory).get(0);
            ProcessSample.Io before = device.counts();
            assertThat(Files.readAllBytes(file)).hasSize(bytes.length);
            assertThat(device.counts().since(before).readBytes())
                    .as("the page cache has it")
                    .isZero();
            disk.forget();
            assertThat(Files.readAllBytes(file)).hasSize(bytes.length);
            assertThat(device.counts().since(before).readBytes()).isGreaterThanOrEqualTo(bytes.length);
        }
        assertNothingIsLeft();
    }

    @Test
    void creditsAreSpentFirstAndGivenBack() throws IOException {
        Comparison.Disk ration = new Comparison.Disk(IOPS, 0, 5000, 500);
        try (RationedDisk disk = create(ration);
                FileChannel channel = fill(disk)) {
            disk.limit();
            for (int i = 0; i < 600; i++) {
                read(channel, i);
            }
            assertThat(disk.credits()).isLessThan(250);
            disk.unlimit();
            disk.limit();
            assertThat(disk.credits()).isGreaterThan(400);
            for (int i = 0; i < 600; i++) {
                read(channel, i);
            }
            assertThat(disk.credits()).isLessThan(250);
            disk.unlimit();
        }
        assertNothingIsLeft();
    }

    @Test
    void bytesAreRationedToo() throws IOException {
        long bandwidth = 4 << 20;
        try (RationedDisk disk = create(new Comparison.Disk(100_000, bandwidth, 100_000, 0));
                FileChannel channel = fill(disk)) {
            disk.limit();
            long start = System.nanoTime();
            int blocks = 512;
            for (int i = 0; i < blocks; i++) {
                read(channel, i);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            assertThat(seconds).isGreaterThan(0.7 * blocks * BLOCK_BYTES / bandwidth);
        }
        assertNothingIsLeft();
    }

    @Test
    void anInterruptedThreadTakesItDown() throws IOException {
        RationedDisk disk = create(RATION);
        disk.limit();
        Thread.currentThread().interrupt();
        disk.close();
        disk.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(disk::limit).hasMessageContaining("found it closed");
        assertNothingIsLeft();
    }

    @Test
    void refusesWhatCannotBeMadeAndLeavesNothing() throws IOException {
        Path mount = directory.resolve("mount");
        assertThatThrownBy(() -> RationedDisk.create(image(), mount, Long.MAX_VALUE / 4, RATION))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("needs as much space");
        assertThatThrownBy(() -> create(new Comparison.Disk(0, 0, 0, 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected a rate of at least 1");
        Path other = Files.writeString(image(), "of another disk");
        assertThatThrownBy(() -> create(RATION))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected no file");
        assertThat(other).exists();
        Files.delete(other);
        Path file = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> RationedDisk.create(image(), file, SIZE_BYTES, RATION))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> RationedDisk.create(image(), directory.resolve("mount"), 1 << 20, RATION))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of at least");
        assertNothingIsLeft();
    }

    @Test
    void findsWhatAKilledProcessLeft() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DiskHolder.class.getName(),
                        image().toString(),
                        directory.resolve("mount").toString())
                .redirectErrorStream(true)
                .start();
        try {
            String line = new String(process.getInputStream().readNBytes(DiskHolder.READY.length()), UTF_8);
            assertThat(line).isEqualTo(DiskHolder.READY);
            RationedDisk.cleanUp(image());
            assertThat(LoopDevice.attachedAt(directory))
                    .as("of a living process")
                    .hasSize(1);
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(LoopDevice.attachedAt(directory)).hasSize(1);
        RationedDisk.cleanUp(image());
        assertNothingIsLeft();
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(LoopDevice.attachedAt(directory.toRealPath())).isEmpty();
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(directory.toString());
        assertThat(image()).doesNotExist();
        assertThat(directory.resolve("mount")).doesNotExist();
        assertThat(limits()).isEmpty();
    }

    /** The limits of the device that the last disk had, in all groups. */
    private List<String> limits() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("/sys/fs/cgroup/blkio"))) {
            for (Path file : files.filter(RationedDiskTest::holdsLimits).toList()) {
                for (String line : Files.readAllLines(file)) {
                    if (line.startsWith(number + " ")) {
                        found.add(file + ": " + line);
                    }
                }
            }
        }
        return found;
    }

    private static boolean holdsLimits(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("blkio.throttle.") && name.endsWith("_device");
    }
}
