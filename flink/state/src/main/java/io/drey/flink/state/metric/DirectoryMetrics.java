package io.drey.flink.state.metric;

import io.drey.files.disks.DirectoryStats;
import io.drey.files.local.LocalDirectory;
import io.drey.flink.state.task.InstanceDirectory;
import java.io.IOException;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MeterView;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a backend's local directories, each in a group {@code directory.<number>}, in the order of the option:
 * the path of a directory has no place in the name of a metric.
 */
public final class DirectoryMetrics {
    private final InstanceDirectory directories;

    public DirectoryMetrics(InstanceDirectory directories) {
        this.directories = directories;
    }

    public void register(MetricGroup drey) {
        for (int i = 0; i < directories.parts().size(); i++) {
            register(drey.addGroup("directory", Integer.toString(i)), i);
        }
    }

    private void register(MetricGroup group, int number) {
        gauge(group, "reads", number, DirectoryStats::reads);
        gauge(group, "bytesRead", number, DirectoryStats::readBytes);
        gauge(group, "readNanos", number, DirectoryStats::readNanos);
        gauge(group, "writes", number, DirectoryStats::writes);
        gauge(group, "bytesWritten", number, DirectoryStats::writtenBytes);
        gauge(group, "writeNanos", number, DirectoryStats::writeNanos);
        gauge(group, "failures", number, DirectoryStats::failures);
        gauge(group, "latencyNanos", number, DirectoryStats::latencyNanos);
        gauge(group, "queueDepth", number, DirectoryStats::queueDepth);
        Gauge<Long> ios = () -> stats(number).reads() + stats(number).writes();
        group.meter("iosPerSecond", new MeterView(ios));
        Fullness fullness = new Fullness(directories.parts().get(number));
        group.<Double, Gauge<Double>>gauge("fullness", fullness::ratio);
        group.<Long, Gauge<Long>>gauge("usableBytes", fullness::usableBytes);
    }

    private void gauge(MetricGroup group, String name, int number, ToLongFunction<DirectoryStats> value) {
        group.<Long, Gauge<Long>>gauge(name, () -> value.applyAsLong(stats(number)));
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

        Fullness(LocalDirectory directory) {
            this.directory = directory;
        }

        synchronized long usableBytes() {
            ask();
            return usableBytes;
        }

        synchronized double ratio() {
            ask();
            return diskBytes == 0 ? Double.NaN : 1 - (double) usableBytes / diskBytes;
        }

        private void ask() {
            try {
                usableBytes = directory.usableBytes();
                diskBytes = directory.diskBytes();
            } catch (IOException e) {
                // The next I/O there tells the job what is wrong; reporters get what was known before.
            }
        }
    }
}
