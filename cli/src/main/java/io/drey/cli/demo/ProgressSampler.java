package io.drey.cli.demo;

import io.drey.bench.figure.Statistics;
import io.drey.bench.flink.CheckpointTimes;
import io.drey.bench.flink.EmbeddedFlink;
import io.drey.bench.metric.MetricBoard;
import io.drey.bench.probe.ProcessProbe;
import io.drey.bench.result.ProcessSample;
import io.drey.jobs.feed.FeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Looks at a running job once in a while and remembers how fast it was. Used by one thread. */
final class ProgressSampler implements AutoCloseable {
    private final EmbeddedFlink flink;
    private final Backend backend;
    private final int readers;
    private final ProcessProbe probe;

    private final CheckpointTimes checkpoints = new CheckpointTimes();
    private final List<Double> rates = new ArrayList<>();
    private long events;
    private boolean counted;
    private Long diskBytes;
    private Long memoryBytes;

    ProgressSampler(EmbeddedFlink flink, DemoOptions options, WorkDirectory directory) {
        this.flink = flink;
        this.backend = options.backend;
        this.readers = options.parallelism;
        this.probe = new ProcessProbe(directory.local(), directory.checkpoints(), null);
    }

    Progress sample() throws InterruptedException {
        checkpoints.look(flink.checkpoints());
        boolean goesOn = count();
        ProcessSample sample = probe.sample(goesOn, events, null);
        keepState(sample);
        Long rate = null;
        if (goesOn) {
            rates.add(sample.events() / sample.length());
            rate = Math.round(sample.events() / sample.length());
        }
        return progress(rate);
    }

    /** When the job has ended, its tasks and files are gone and what was last seen of them stands. */
    Progress last() throws InterruptedException {
        checkpoints.lookAfterEnd(flink.checkpoints());
        return progress(null);
    }

    private Progress progress(Long rate) {
        String memoryName = backend == Backend.hashmap ? "heap" : "memory";
        return new Progress(events, rate, diskBytes, memoryName, memoryBytes, checkpoints.summary());
    }

    /**
     * Counts events, only of moments at which all readers are there and have their splits: a reader that has ended no
     * longer counts what it read, and one that recovers not yet.
     *
     * @return whether all were there now and at the moment before, so that the difference is a rate
     */
    private boolean count() {
        boolean countedBefore = counted && events > 0;
        long now = MetricBoard.sum("." + FeedSource.EVENTS_METRIC).orElse(0);
        counted = MetricBoard.count("." + FeedSource.EVENTS_METRIC) == readers && (now > 0 || events == 0);
        boolean goesOn = counted && countedBefore && now >= events;
        events = counted ? now : events;
        return goesOn;
    }

    /** While no task runs nobody tells, or tells zero; the last that was told stands. */
    private void keepState(ProcessSample sample) {
        OptionalLong memory = switch (backend) {
            case drey -> MetricBoard.sum(".drey.memoryBytesUsed");
            case rocksdb, forst -> MetricBoard.sumOfLargestPerSubtask(backend + "_block-cache-usage");
            case hashmap -> OptionalLong.of(sample.heapBytes());
        };
        if (memory.orElse(0) > 0) {
            memoryBytes = memory.getAsLong();
        }
        if (backend != Backend.hashmap && sample.localBytes() > 0) {
            diskBytes = sample.localBytes();
        }
    }

    /** Number of the checkpoint that the job was last restored from, or null. */
    Long restored() {
        return checkpoints.restored();
    }

    /** The median of the rates of all moments; null if the run was too short to have any. */
    Long medianEventsPerSecond() {
        return rates.isEmpty() ? null : Math.round(Statistics.median(rates));
    }

    /** The largest resident size of this process, or null where it is not known. */
    Long peakResidentBytes() {
        long bytes = probe.peakResidentBytes();
        return bytes < 0 ? null : bytes;
    }

    @Override
    public void close() {
        probe.close();
    }
}
