package io.drey.flink.state.metric;

import io.drey.files.disks.DirectoryStats;
import io.drey.files.local.LocalDirectory;
import io.drey.flink.state.task.InstanceDirectory;
import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MeterView;

/**
 * The metrics of a backend's local directories, each in a group {@code directory.<number>}, in the order of the option:
 * the path of a directory has no place in the name of a metric.
 */
public final class DirectoryMetrics {
    private final InstanceDirectory directories;
    private final List<Fullness> fullness;

    public DirectoryMetrics(InstanceDirectory directories) {
        this.directories = directories;
        this.fullness = directories.parts().stream().map(Fullness::new).toList();
    }

    public void register(MetricSink drey) {
        drey.gauge("directoriesUnusable", this::unusable);
        drey.gauge(
                "directoryUsableBytesMin",
                () -> fullness.stream().mapToLong(Fullness::usableBytes).min().orElse(0));
        drey.ratio(
                "directoryFullnessMax",
                () -> fullness.stream().mapToDouble(Fullness::ratio).max().orElse(Double.NaN));
        drey.gauge(
                "directoryLatencyNanosMax",
                () -> directories.stats().stream()
                        .mapToLong(DirectoryStats::latencyNanos)
                        .max()
                        .orElse(0));
        for (int i = 0; drey.isFull() && i < fullness.size(); i++) {
            String place = Integer.toString(directories.places().get(i));
            register(drey.full("directory", place), i);
        }
    }

    private long unusable() {
        return directories.unusable().size()
                + fullness.stream().filter(Fullness::isSilent).count();
    }

    private void register(MetricSink group, int number) {
        counter(group, "reads", number, DirectoryStats::reads);
        counter(group, "bytesRead", number, DirectoryStats::readBytes);
        counter(group, "readNanos", number, DirectoryStats::readNanos);
        counter(group, "writes", number, DirectoryStats::writes);
        counter(group, "bytesWritten", number, DirectoryStats::writtenBytes);
        counter(group, "writeNanos", number, DirectoryStats::writeNanos);
        counter(group, "failures", number, DirectoryStats::failures);
        group.gauge("latencyNanos", () -> stats(number).latencyNanos());
        group.gauge("queueDepth", () -> stats(number).queueDepth());
        Gauge<Long> ios = () -> stats(number).reads() + stats(number).writes();
        group.meter("iosPerSecond", new MeterView(ios));
        group.ratio("fullness", fullness.get(number)::ratio);
        group.gauge("usableBytes", fullness.get(number)::usableBytes);
    }

    private void counter(MetricSink group, String name, int number, ToLongFunction<DirectoryStats> value) {
        group.counter(name, () -> value.applyAsLong(stats(number)));
    }

    private DirectoryStats stats(int number) {
        return directories.stats().get(number);
    }

    /**
     * The free and whole size of a directory's disk, as it answered last: when the backend is gone, so is the
     * directory.
     */
    private static final class Fullness {
        private final LocalDirectory directory;
        private long usableBytes;
        private long diskBytes;
        private boolean silent;

        Fullness(LocalDirectory directory) {
            this.directory = directory;
        }

        synchronized long usableBytes() {
            ask();
            return usableBytes;
        }

        /** Whether it does not answer: its disk is gone, or the backend is. */
        synchronized boolean isSilent() {
            ask();
            return silent;
        }

        synchronized double ratio() {
            ask();
            return diskBytes == 0 ? Double.NaN : 1 - (double) usableBytes / diskBytes;
        }

        private void ask() {
            try {
                usableBytes = directory.usableBytes();
                diskBytes = directory.diskBytes();
                silent = false;
            } catch (IOException e) {
                // The next I/O there tells the job what is wrong; reporters get what was known before.
                silent = true;
            }
        }
    }
}
