package io.drey.shuffle.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.memory.SlabPool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Time goes on while the process runs, and hardly while it stands still. */
final class RunningTimeTest {
    private static final Renew RENEWAL = new Renew("job", 1, 0, 0, 0);

    @TempDir
    Path directory;

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final RunningTime time = new RunningTime(nanos::get);

    private void run(long ms) {
        for (long left = ms; left > 0; left -= RunningTime.ASKED_MS) {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(Math.min(left, RunningTime.ASKED_MS)));
            time.getAsLong();
        }
    }

    @Test
    void runningCounts() {
        long begin = time.getAsLong();
        run(60_000);
        assertThat(time.getAsLong() - begin).isEqualTo(60_000);
        nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(500));
        time.getAsLong();
        nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(500));
        assertThat(time.getAsLong() - begin).isEqualTo(60_001);
    }

    @Test
    void standingStillCountsForLittle() {
        long begin = time.getAsLong();
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertThat(time.getAsLong() - begin).isEqualTo(RunningTime.STEP_MS_MAX);
        run(1_000);
        assertThat(time.getAsLong() - begin).isEqualTo(RunningTime.STEP_MS_MAX + 1_000);
    }

    /** As of a container that was paused, or a machine that was suspended, together with the job manager's. */
    @Test
    void aLeaseOutlivesAnHourInWhichTheWorkerStoodStill() throws Exception {
        Storage.Disks disks = LocalDisk::new;
        try (Storage storage = Storage.open(List.of(directory), disks, new SlabPool(16L << 20), 0)) {
            Catalog catalog = new Catalog(storage, time, System::currentTimeMillis, 600_000);
            catalog.renew(RENEWAL, lease -> {}, fault -> {});
            nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
            catalog.expire();
            assertThat(jobs(catalog)).hasSize(1);
            run(600_000);
            catalog.expire();
            assertThat(jobs(catalog)).isEmpty();
        }
    }

    private static List<String> jobs(Catalog of) {
        List<String> jobs = new ArrayList<>();
        of.inspect("", jobs::addAll);
        return jobs;
    }
}
