package io.drey.bench.probe;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.ProcessSample;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Takes a {@link ProcessSample} of this process whenever it is asked, of what was counted since it was asked before.
 * Used by one thread, about once a second, and meant to cost well below one percent of a core.
 */
public final class ProcessProbe implements AutoCloseable {
    private static final double NANOS = 1e9;
    private static final ProcessSample.Backend NOTHING = new ProcessSample.Backend(0, 0, 0, 0);

    private final Path process;
    private final Path deviceStat;
    private final SmallFile reader = new SmallFile();
    private final ThreadGroups groups = new ThreadGroups();
    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final ProcessorTime processorTime;
    private final MachineTime machineTime = new MachineTime();
    private final Allocation allocation = new Allocation();
    private final FolderSize local;
    private final FolderSize checkpoints;
    private final Pauses pauses;

    private final long originNanos;
    private final long originMs;
    private long lastNanos;
    private long lastEvents;
    private ProcessSample.Io lastIo;
    private ProcessSample.Io lastDevice;
    private ProcessSample.Backend lastBackend = NOTHING;

    /**
     * From now on it is counted.
     *
     * @param local the state backend's directory
     * @param checkpoints the checkpoint store
     * @param device name of the block device that holds {@code local} and is ours, or null
     */
    public ProcessProbe(Path local, Path checkpoints, String device) {
        this.process = Path.of("/proc/self");
        this.deviceStat = device == null ? null : Path.of("/sys/block", device, "stat");
        this.processorTime = new ProcessorTime(process, groups);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        this.local = new FolderSize(local, System::nanoTime, threads::getCurrentThreadCpuTime);
        this.checkpoints = new FolderSize(checkpoints, System::nanoTime, threads::getCurrentThreadCpuTime);
        processorTime.take();
        machineTime.take();
        allocation.take();
        this.lastIo = processIo();
        this.lastDevice = deviceIo();
        this.originMs = System.currentTimeMillis();
        this.pauses = new Pauses(originMs);
        this.originNanos = System.nanoTime();
        this.lastNanos = originNanos;
    }

    /**
     * From now on the job is known.
     *
     * @param vertices Flink's names of its tasks
     */
    public void tasks(List<String> vertices) {
        groups.tasks(vertices);
    }

    /**
     * A sample of the time since the call before.
     *
     * @param measured whether it counts
     * @param events processed since the job began
     * @param backend what the state backend has told until now, or null
     */
    public ProcessSample sample(boolean measured, long events, ProcessSample.Backend backend) {
        Map<String, Double> cpu = processorTime.take();
        ProcessSample.Io io = processIo();
        ProcessSample.Io device = deviceIo();
        long now = System.nanoTime();
        ProcessSample sample = new ProcessSample(
                (now - originNanos) / NANOS,
                (now - lastNanos) / NANOS,
                measured,
                events - lastEvents,
                cpu,
                others(cpu),
                status().residentBytes(),
                memory.getHeapMemoryUsage().getUsed(),
                allocation.take(),
                local.size().bytes(),
                io.since(lastIo),
                device == null ? null : device.since(lastDevice),
                backend == null ? null : backend.since(lastBackend));
        lastNanos = now;
        lastEvents = events;
        lastIo = io;
        lastDevice = device;
        lastBackend = backend == null ? lastBackend : backend;
        return sample;
    }

    private Double others(Map<String, Double> own) {
        Double all = machineTime.take();
        double ours = own.values().stream().mapToDouble(Double::doubleValue).sum();
        return all == null || own.isEmpty() ? null : Math.max(0, all - ours);
    }

    /** Seconds from the begin of the first sample to a moment of the wall clock. */
    public double second(long wallClockMs) {
        return (wallClockMs - originMs) / 1000.0;
    }

    /** Seconds since the begin of the first sample. */
    public double second() {
        return (System.nanoTime() - originNanos) / NANOS;
    }

    /** Number of files in the checkpoint store, or -1. */
    public long checkpointFiles() {
        return checkpoints.size().files();
    }

    /** Pauses of the garbage collector since the begin of the first sample, oldest first. */
    public List<CellResult.Pause> pauses() {
        return pauses.all();
    }

    /** The largest resident size of the process, or -1. */
    public long peakResidentBytes() {
        return status().peakBytes();
    }

    private ProcessStatus status() {
        String text = reader.read(process.resolve("status"));
        return text == null ? ProcessStatus.UNKNOWN : ProcessStatus.parse(text);
    }

    private ProcessSample.Io processIo() {
        String text = reader.read(process.resolve("io"));
        return text == null ? ProcessSample.Io.UNKNOWN : ReadsAndWrites.ofProcess(text);
    }

    private ProcessSample.Io deviceIo() {
        if (deviceStat == null) {
            return null;
        }
        String text = reader.read(deviceStat);
        return text == null ? ProcessSample.Io.UNKNOWN : ReadsAndWrites.ofDevice(text);
    }

    @Override
    public void close() {
        pauses.close();
    }
}
