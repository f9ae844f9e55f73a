package io.drey.shuffle.worker.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.file.PartFile;
import io.drey.shuffle.worker.file.RegionBuilder;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each reader of a sweep is read once, and none keeps the others from being read. */
final class ElevatorSweepTest {
    private static final int RANGE_BYTES = 1000;
    private static final int RANGES = 2;

    @TempDir
    Path directory;

    private final SlabPool pool = new SlabPool(4L * Slab.BYTES);
    private PartFile part;

    /** Two ranges of a file, one after the other. */
    private class Reader extends ReadSource {
        private final long from;
        private int delivered;
        private boolean admitted = true;
        private Throwable failure;

        Reader(long from) {
            this.from = from;
        }

        @Override
        protected boolean prepare(DeviceLoop loop) {
            if (delivered >= RANGES || failure != null) {
                return false;
            }
            want(part, from + delivered * (long) RANGE_BYTES, RANGE_BYTES, RANGE_BYTES);
            return true;
        }

        @Override
        protected boolean admit() {
            return admitted;
        }

        @Override
        protected void deliver(ReadSpan span) {
            delivered++;
        }

        @Override
        protected void failed(Throwable cause) {
            failure = cause;
        }
    }

    private static final class NoDriver implements DeviceDriver {
        @Override
        public void start(DeviceLoop loop) {}

        @Override
        public void wake() {}

        @Override
        public boolean awaitEnd() {
            return true;
        }
    }

    @BeforeEach
    void makeFile() throws Exception {
        part = new PartFile(1, directory.resolve("part"), 0);
        Files.write(part.path(), "x".repeat(8 * RANGE_BYTES).getBytes(UTF_8));
    }

    private DeviceLoop loop(DeviceDriver driver) throws Exception {
        return new DeviceLoop("test", new LocalDisk(directory), pool, driver);
    }

    @Test
    void aReaderThatIsAdmittedAgainWhileASweepWaitsForMemoryIsReadOnce() throws Exception {
        DeviceLoop loop = loop(new NoDriver());
        Reader first = new Reader(0);
        Reader second = new Reader(4L * RANGE_BYTES);
        Slab[] all = new Slab[3];
        assertThat(pool.takeToRead(all, all.length)).isTrue();
        second.admitted = false;
        loop.submitAll(List.of(first, second));
        assertThat(loop.turn()).isFalse();
        second.admitted = true;
        loop.submitAll(List.of(second));
        for (Slab each : all) {
            pool.release(each);
        }
        while (loop.turn()) {
            assertThat(second.delivered).isLessThanOrEqualTo(RANGES);
        }
        assertThat(first.delivered).isEqualTo(RANGES);
        assertThat(second.delivered).isEqualTo(RANGES);
        loop.closeFiles();
    }

    @Test
    void aReaderThatCannotBeAskedFailsAloneAndOthersAreRead() throws Exception {
        Error broken = new InternalError("broken");
        DeviceLoop loop = loop(new NoDriver());
        Reader failing = new Reader(0) {
            @Override
            protected boolean admit() {
                throw broken;
            }
        };
        Reader other = new Reader(4L * RANGE_BYTES);
        loop.submitAll(List.of(failing, other));
        while (loop.turn()) {
            assertThat(other.delivered).isLessThanOrEqualTo(RANGES);
        }
        assertThat(failing.failure).isSameAs(broken);
        assertThat(other.delivered).isEqualTo(RANGES);
        loop.closeFiles();
    }

    /** A worker deletes many files, and their tables would take the place of those that are read. */
    @Test
    void theTablesOfADeletedFileAreForgotten() throws Exception {
        DeviceLoop loop = loop(new NoDriver());
        RegionBuilder builder = new RegionBuilder(new PartitionKey("job", "exchange", 0, 1), 4);
        ByteBuf regions = Unpooled.buffer();
        for (int i = 0; i < 2; i++) {
            int start = regions.writerIndex();
            regions.writeBytes(builder.begin(i, false)).writeBytes(builder.end());
            part.add(i, start, regions.writerIndex() - start);
        }
        Files.write(part.path(), ByteBufUtil.getBytes(regions));
        for (int i = 0; i < 2; i++) {
            assertThat(loop.table(part, i, i).entries()).isZero();
        }
        loop.delete(part);
        for (int i = 0; i < 2; i++) {
            int region = i;
            assertThatThrownBy(() -> loop.table(part, region, region)).isInstanceOf(NoSuchFileException.class);
        }
        loop.closeFiles();
    }

    @Test
    void theThreadOfADirectoryOutlivesWhatFailsInATurn() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        CountDownLatch after = new CountDownLatch(1);
        try (DeviceLoop loop = loop(new DeviceThread("test", 60_000))) {
            loop.submitAll(List.of(new Reader(0) {
                @Override
                protected boolean admit() {
                    throw new InternalError("broken");
                }

                @Override
                protected void failed(Throwable cause) {
                    failed.countDown();
                    throw new InternalError("and once more");
                }
            }));
            assertThat(failed.await(1, TimeUnit.MINUTES)).isTrue();
            loop.execute(after::countDown);
            assertThat(after.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }
}
