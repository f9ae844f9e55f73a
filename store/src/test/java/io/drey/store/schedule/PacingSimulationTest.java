package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.compaction.CompactionLimits;
import io.drey.store.compaction.SizedRuns;
import io.drey.store.schedule.Background.Urgency;
import io.drey.store.tuning.CompactionPace;
import io.drey.store.tuning.FlushPace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Stores that write evenly, simulated on one background thread in virtual time: flushes come in bursts, compactions in
 * jobs from small to large as {@link SizedRuns} has them. What the thread spends per second has to be even all the
 * same, and owners must never wait. All flushes make room: those of checkpoints go as fast as they can.
 */
final class PacingSimulationTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int STEP_BYTES = 128 << 10;
    private static final int CROWD_RUNS = 16;
    private static final int MINUTES = 20;
    private static final int WARM_SECONDS = 300;
    private static final long RUN_BYTES_MAX = 64 << 20;

    /** State of a store, in runs that it flushes: much, and one that is overwritten from flush to flush. */
    private static final int STATE_FLUSHES = 30;

    private static final int SMALL_STATE_FLUSHES = 1;

    /** Processor time of a byte flushed and of a byte compacted, so that a store of 6 MB/s takes about half a core. */
    private static final double FLUSH_NANOS_PER_BYTE = 15;

    private static final double COMPACTION_NANOS_PER_BYTE = 9;

    /**
     * The first part of a job, and what a byte costs in it where bytes cost more at its end: a part of what they cost
     * on average.
     */
    private static final double EARLY_PART = 0.7;

    private static final double EARLY_COST = 0.6;

    @Test
    void oneStoreIsSteady() {
        Simulation simulation = new Simulation(1, 6 << 20, 30 << 20, STATE_FLUSHES);
        simulation.run(MINUTES * 60 * SECOND);
        simulation.checkSteady(1.5, 0.7);
    }

    /** Reading ahead comes first, filters and indexes come last. */
    @Test
    void aStoreWhoseJobsCostMoreAtTheirEndIsNearlyAsSteady() {
        Simulation simulation = new Simulation(1, 6 << 20, 30 << 20, STATE_FLUSHES);
        simulation.earlyCost = EARLY_COST;
        simulation.run(MINUTES * 60 * SECOND);
        simulation.checkSteady(1.8, 0.6);
    }

    @Test
    void manyStoresAreSteady() {
        Simulation simulation = new Simulation(6, 1 << 20, 8 << 20, STATE_FLUSHES);
        simulation.run(MINUTES * 60 * SECOND);
        simulation.checkSteady(1.5, 0.7);
    }

    @Test
    void aStoreThatIsFlushedNearlyWholeEachTimeIsSteady() {
        Simulation simulation = new Simulation(1, 9 << 20, 45 << 20, SMALL_STATE_FLUSHES);
        simulation.run(MINUTES * 60 * SECOND);
        simulation.checkSteady(1.5, 0.7);
    }

    @Test
    void aStoreWhoseInflowDoublesNeverWaits() {
        Simulation simulation = new Simulation(1, 4 << 20, 20 << 20, STATE_FLUSHES);
        simulation.run(300 * SECOND);
        simulation.stores.get(0).bytesPerSecond *= 2;
        simulation.run(900 * SECOND);
        assertThat(simulation.youngMax()).isLessThan(CROWD_RUNS);
    }

    @Test
    void whatIsDueEndsThoughNothingFlowsInAnyMore() {
        Simulation simulation = new Simulation(1, 6 << 20, 30 << 20, STATE_FLUSHES);
        simulation.run(300 * SECOND);
        simulation.stores.get(0).bytesPerSecond = 0;
        simulation.run(900 * SECOND);
        assertThat(simulation.queue.isEmpty()).isTrue();
    }

    /** Work of a size, which it does in steps at the simulation's expense. */
    private static final class SizedWork implements Background.Work {
        private final long size;
        private final double nanosPerByte;
        private final Runnable end;
        private final CompactionPace.Speed[] pace;
        private long done;

        SizedWork(long size, double nanosPerByte, CompactionPace.Speed[] pace, Runnable end) {
            this.size = size;
            this.nanosPerByte = nanosPerByte;
            this.pace = pace;
            this.end = end;
        }

        /** Processor time of the last part, before which so much was done. */
        long nanosSince(long before, double earlyCost) {
            double lateCost = (1 - EARLY_PART * earlyCost) / (1 - EARLY_PART);
            return (long) ((done - before) * nanosPerByte * (done < EARLY_PART * size ? earlyCost : lateCost));
        }

        @Override
        public boolean step(int bytes) {
            done = Math.min(size, done + bytes);
            if (done == size) {
                end.run();
            }
            return done < size;
        }

        @Override
        public long bytesInAll() {
            return size;
        }

        @Override
        public long bytes() {
            return done;
        }

        @Override
        public double bytesPerSecond() {
            return pace[0].bytes();
        }

        @Override
        public double steadyBytesPerSecond() {
            return pace[0].steadyBytes();
        }
    }

    private static final class Store {
        private final Simulation simulation;
        private final long runBytes;
        private final CompactionPace pace;
        private final FlushPace flushPace = new FlushPace(0);
        private final CompactionPace.Speed[] paced = {CompactionPace.Speed.UNLIMITED};
        private final SizedRuns runs;
        private double bytesPerSecond;
        private double dirty;
        private SizedWork compaction;

        Store(Simulation simulation, double bytesPerSecond, long runBytes, double dirty, int stateFlushes) {
            this.simulation = simulation;
            this.bytesPerSecond = bytesPerSecond;
            this.runBytes = runBytes;
            this.dirty = dirty;
            this.pace = new CompactionPace(0, CROWD_RUNS);
            this.runs = new SizedRuns(CompactionLimits.of(CROWD_RUNS / 2, RUN_BYTES_MAX), stateFlushes * runBytes);
        }

        void flow(long nanos) {
            dirty += bytesPerSecond * nanos / SECOND;
            if (dirty >= runBytes) {
                dirty -= runBytes;
                // The log is as large as two flushes.
                FlushPace.Speed speed = flushPace.begin(simulation.now, runBytes, true, runBytes, runBytes);
                SizedWork flush = new SizedWork(
                        runBytes,
                        FLUSH_NANOS_PER_BYTE,
                        new CompactionPace.Speed[] {
                            new CompactionPace.Speed(speed.bytes(), speed.bytes(), CompactionPace.Reason.AVERAGE)
                        },
                        this::flushed);
                simulation.queue.submit(simulation.now, Urgency.FLUSH, flush, () -> {});
            }
        }

        private void flushed() {
            runs.flush(runBytes);
            pace.flushed(simulation.now, runBytes, 0);
            startCompaction();
            setPace();
        }

        private void setPace() {
            if (compaction != null) {
                CompactionPace.Work left = new CompactionPace.Work(
                        compaction.size - compaction.done,
                        0,
                        (long) runs.youngBytes(),
                        (long) runs.dueBytes(),
                        (long) runs.oldBytes(),
                        (long) runs.oldBytes());
                paced[0] = pace.speed(simulation.now, runs.fresh(), runs.compacted(), left);
            }
        }

        private void startCompaction() {
            SizedRuns.Compaction choice = compaction == null ? runs.pick() : null;
            if (choice == null) {
                return;
            }
            compaction = new SizedWork((long) choice.readBytes(), COMPACTION_NANOS_PER_BYTE, paced, () -> {
                compaction = null;
                choice.end().run();
                pace.compacted(simulation.now, (long) choice.readBytes());
                startCompaction();
                setPace();
            });
            setPace();
            simulation.queue.submit(simulation.now, Urgency.COMPACTION, compaction, () -> {});
        }
    }

    private static final class Simulation {
        private final JobQueue queue = new JobQueue(0, 7);
        private final List<Store> stores = new ArrayList<>();
        private final List<Double> cpuPerSecond = new ArrayList<>();
        private double earlyCost = 1;
        private long now;

        Simulation(int count, double bytesPerSecond, long runBytes, int stateFlushes) {
            for (int i = 0; i < count; i++) {
                stores.add(new Store(this, bytesPerSecond, runBytes, (double) runBytes * i / count, stateFlushes));
            }
        }

        void run(long nanos) {
            long end = now + nanos;
            while (now < end) {
                QueuedJob job = queue.take(now);
                if (job == null) {
                    pass(Math.max(100_000, Math.min(queue.delayNanos(), SECOND / 20)), 0);
                    continue;
                }
                SizedWork work = (SizedWork) job.work;
                long before = work.done;
                boolean more = work.step(STEP_BYTES);
                long cpu = work.nanosSince(before, earlyCost);
                pass(cpu, cpu);
                queue.done(job, now, cpu, more);
            }
        }

        private void pass(long nanos, long cpu) {
            int second = (int) (now / SECOND);
            while (cpuPerSecond.size() <= second) {
                cpuPerSecond.add(0.0);
            }
            cpuPerSecond.set(second, cpuPerSecond.get(second) + (double) cpu / SECOND);
            now += nanos;
            stores.forEach(store -> store.flow(nanos));
        }

        int youngMax() {
            return stores.stream()
                    .mapToInt(store -> store.runs.youngMax())
                    .max()
                    .orElseThrow();
        }

        void checkSteady(double p99ToMedian, double p10ToMedian) {
            double[] sorted = cpuPerSecond.subList(WARM_SECONDS, cpuPerSecond.size() - 1).stream()
                    .mapToDouble(Double::doubleValue)
                    .toArray();
            Arrays.sort(sorted);
            double median = sorted[sorted.length / 2];
            String seen = "p10 " + sorted[sorted.length / 10] + ", median " + median + ", p99 "
                    + sorted[sorted.length * 99 / 100];
            assertThat(sorted[sorted.length * 99 / 100]).as(seen).isLessThanOrEqualTo(p99ToMedian * median);
            assertThat(sorted[sorted.length / 10]).as(seen).isGreaterThanOrEqualTo(p10ToMedian * median);
            assertThat(youngMax()).isLessThan(CROWD_RUNS);
        }
    }
}
