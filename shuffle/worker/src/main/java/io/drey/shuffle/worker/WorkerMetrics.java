package io.drey.shuffle.worker;

import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.message.WorkerReport.Load;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.catalog.StorageDirectory;
import io.drey.shuffle.worker.device.DeviceCounts;
import io.drey.shuffle.worker.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The metrics of a worker, as docs/reference/shuffle-options.md lists them. */
final class WorkerMetrics {
    private WorkerMetrics() {}

    /** All as they are now; those of one name follow each other. */
    static List<Metric> all(WorkerReport report, int connections, Storage storage) {
        Load load = report.load();
        List<Metric> all = new ArrayList<>();
        gauge(all, "running", report.state() == WorkerReport.State.RUNNING ? 1 : 0);
        gauge(all, "connections", connections);
        gauge(all, "writers", load.writers());
        gauge(all, "readers", load.readers());
        gauge(all, "partitions", load.partitions());
        gauge(all, "data_bytes", load.dataBytes());
        gauge(all, "free_bytes", load.freeBytes());
        gauge(all, "memory_bytes", load.poolBytes());
        gauge(all, "memory_used_bytes", load.poolUsedBytes());
        for (StorageDirectory each : storage.directories()) {
            healthy(all, each, each.trouble().isEmpty());
        }
        storage.leftOut().forEach(each -> healthy(all, each, false));
        counter(all, storage, "writes_total", DeviceCounts::writes);
        counter(all, storage, "written_bytes_total", DeviceCounts::writtenBytes);
        counter(all, storage, "reads_total", DeviceCounts::reads);
        counter(all, storage, "read_bytes_total", DeviceCounts::readBytes);
        counter(all, storage, "ranges_read_total", DeviceCounts::rangesRead);
        counter(all, storage, "failures_total", DeviceCounts::failures);
        return all;
    }

    private static void healthy(List<Metric> all, Object directory, boolean is) {
        all.add(new Metric("directory_healthy", false, directory.toString(), is ? 1 : 0));
    }

    private static void gauge(List<Metric> all, String name, long value) {
        all.add(new Metric(name, false, "", value));
    }

    private static void counter(List<Metric> all, Storage storage, String name, ToLongFunction<DeviceCounts> count) {
        for (StorageDirectory each : storage.directories()) {
            long value = count.applyAsLong(each.loop().counts());
            all.add(new Metric(name, true, each.toString(), value));
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
