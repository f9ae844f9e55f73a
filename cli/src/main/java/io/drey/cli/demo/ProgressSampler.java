package io.drey.cli.demo;

import io.drey.bench.metric.MetricBoard;
import io.drey.jobs.feed.FeedSource;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/** Looks at a running job once in a while and remembers how fast it was. Used by one thread. */
final class ProgressSampler {
    private static final double NANOS = 1e9;

    private final EmbeddedFlink flink;
    private final Backend backend;
    private final int readers;
    private final WorkDirectory directory;

    private final List<Double> rates = new ArrayList<>();
    private long lastNanos;
    private long lastEvents = -1;
    private CheckpointSummary checkpoints = CheckpointSummary.NONE;
    private OptionalLong diskBytes = OptionalLong.empty();
    private OptionalLong memoryBytes = OptionalLong.empty();

    ProgressSampler(EmbeddedFlink flink, DemoSettings.Cluster cluster, WorkDirectory directory) {
        this.flink = flink;
        this.backend = cluster.backend();
        this.readers = cluster.parallelism();
        this.directory = directory;
    }

    Progress sample() throws InterruptedException, IOException {
        sampleCheckpoints();
        sampleState();
        return progress(sampleRate());
    }

    /** When the job has ended, its tasks and files are gone and what was last seen of them stands. */
    Progress last() throws InterruptedException {
        sampleCheckpoints();
        return progress(OptionalLong.empty());
    }

    private void sampleCheckpoints() throws InterruptedException {
        CheckpointSummary now = flink.checkpoints();
        if (!now.equals(CheckpointSummary.NONE)) {
            checkpoints = now;
        }
    }

    private Progress progress(OptionalLong rate) {
        String memoryName = backend == Backend.hashmap ? "heap" : "memory";
        return new Progress(Math.max(lastEvents, 0), rate, diskBytes, memoryName, memoryBytes, checkpoints);
    }

    /**
     * Only of moments at which all readers are there and have their splits: a reader that has ended no longer counts what it
     * read, and one that recovers not yet.
     */
    private OptionalLong sampleRate() {
        long events = MetricBoard.sum("." + FeedSource.EVENTS_METRIC).orElse(0);
        boolean all = MetricBoard.count("." + FeedSource.EVENTS_METRIC) == readers;
        if (!all || (events == 0 && lastEvents > 0)) {
            lastNanos = 0;
            return OptionalLong.empty();
        }
        long nanos = System.nanoTime();
        OptionalLong rate = OptionalLong.empty();
        if (lastNanos != 0 && lastEvents > 0 && events >= lastEvents) {
            double perSecond = (events - lastEvents) / ((nanos - lastNanos) / NANOS);
            rates.add(perSecond);
            rate = OptionalLong.of(Math.round(perSecond));
        }
        lastNanos = nanos;
        lastEvents = events;
        return rate;
    }

    private void sampleState() throws IOException {
        switch (backend) {
            case drey -> {
                keepDisk(MetricBoard.sum(".drey.localBytes"));
                keepMemory(MetricBoard.sum(".drey.memoryBytesUsed"));
            }
            case rocksdb, forst -> {
                keepDisk(OptionalLong.of(directory.stateBytes()));
                keepMemory(MetricBoard.sumOfLargestPerSubtask(backend + "_block-cache-usage"));
            }
            case hashmap ->
                keepMemory(OptionalLong.of(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()));
        }
    }

    /** While no task runs nobody tells, or tells zero; the last that was told stands. */
    private void keepDisk(OptionalLong bytes) {
        if (bytes.orElse(0) > 0) {
            diskBytes = bytes;
        }
    }

    private void keepMemory(OptionalLong bytes) {
        if (bytes.orElse(0) > 0) {
            memoryBytes = bytes;
        }
    }

    /** The median of the rates of all moments; empty if the run was too short to have any. */
    OptionalLong medianEventsPerSecond() {
        if (rates.isEmpty()) {
            return OptionalLong.empty();
        }
        List<Double> sorted = new ArrayList<>(rates);
        Collections.sort(sorted);
        return OptionalLong.of(Math.round(sorted.get(sorted.size() / 2)));
    }
}
