package io.drey.shuffle.worker;

import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.message.WorkerReport.Load;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.catalog.StorageDirectory;
import io.drey.shuffle.worker.device.DeviceCounts;
import io.drey.shuffle.worker.metric.MetricText;
import java.util.function.ToLongFunction;

/** The metrics of a worker, as docs/reference/shuffle-options.md lists them. */
final class WorkerMetrics {
    private WorkerMetrics() {}

    static String text(WorkerReport report, int connections, Storage storage) {
        Load load = report.load();
        MetricText out = new MetricText()
                .gauge("running", report.state() == WorkerReport.State.RUNNING ? 1 : 0)
                .gauge("connections", connections)
                .gauge("writers", load.writers())
                .gauge("readers", load.readers())
                .gauge("partitions", load.partitions())
                .gauge("data_bytes", load.dataBytes())
                .gauge("free_bytes", load.freeBytes())
                .gauge("memory_bytes", load.poolBytes())
                .gauge("memory_used_bytes", load.poolUsedBytes());
        for (StorageDirectory each : storage.directories()) {
            out.gauge(
                    "directory_healthy",
                    "directory",
                    each.toString(),
                    each.trouble().isEmpty() ? 1 : 0);
        }
        counter(out, storage, "writes_total", DeviceCounts::writes);
        counter(out, storage, "written_bytes_total", DeviceCounts::writtenBytes);
        counter(out, storage, "reads_total", DeviceCounts::reads);
        counter(out, storage, "read_bytes_total", DeviceCounts::readBytes);
        counter(out, storage, "ranges_read_total", DeviceCounts::rangesRead);
        counter(out, storage, "failures_total", DeviceCounts::failures);
        return out.toString();
    }

    private static void counter(MetricText out, Storage storage, String name, ToLongFunction<DeviceCounts> count) {
        for (StorageDirectory each : storage.directories()) {
            out.counter(
                    name,
                    "directory",
                    each.toString(),
                    count.applyAsLong(each.loop().counts()));
        }
    }

    /** One word for those who restart what is not healthy. */
    static String health(WorkerReport report) {
        return switch (report.state()) {
            case RUNNING -> "ok";
            case DRAINING -> "draining";
            case READ_ONLY -> "no directory takes new partitions";
        };
    }
}
