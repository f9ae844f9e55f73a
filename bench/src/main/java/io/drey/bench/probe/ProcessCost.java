package io.drey.bench.probe;

import io.drey.bench.result.ProcessSample;
import java.nio.file.Path;
import java.util.Collection;

/**
 * The cost of other processes since each began, as the kernel tells it; -1 of what it does not tell.
 *
 * @param cpuSeconds processor time of all of them
 * @param readBytes fetched from devices: what comes from the page cache is not among them
 * @param writtenBytes on their way to devices, also those of files that were deleted before they got there
 * @param peakBytes the largest resident sizes, added up
 */
public record ProcessCost(double cpuSeconds, long readBytes, long writtenBytes, long peakBytes) {
    private static final ProcessCost NOTHING = new ProcessCost(0, 0, 0, 0);

    /** Of some processes together; one that has ended is not told of. */
    public static ProcessCost of(Collection<Long> pids) {
        SmallFile reader = new SmallFile();
        ProcessCost sum = NOTHING;
        for (long pid : pids) {
            Path process = Path.of("/proc", Long.toString(pid));
            String stat = reader.read(process.resolve("stat"));
            String io = reader.read(process.resolve("io"));
            String status = reader.read(process.resolve("status"));
            ThreadTicks ticks = stat == null ? null : ThreadTicks.parse(stat);
            ProcessSample.Io counts = io == null ? ProcessSample.Io.UNKNOWN : ReadsAndWrites.ofProcess(io);
            ProcessStatus memory = status == null ? ProcessStatus.UNKNOWN : ProcessStatus.parse(status);
            sum = sum.plus(new ProcessCost(
                    ticks == null ? -1 : ticks.ticks() / (double) ThreadTicks.PER_SECOND,
                    counts.readBytes(),
                    counts.writeBytes(),
                    memory.peakBytes()));
        }
        return sum;
    }

    private ProcessCost plus(ProcessCost other) {
        return new ProcessCost(
                cpuSeconds < 0 || other.cpuSeconds < 0 ? -1 : cpuSeconds + other.cpuSeconds,
                plus(readBytes, other.readBytes),
                plus(writtenBytes, other.writtenBytes),
                plus(peakBytes, other.peakBytes));
    }

    private static long plus(long one, long other) {
        return one < 0 || other < 0 ? -1 : one + other;
    }

    /** What was added since an earlier look at the same processes; the peak is that of now. */
    public ProcessCost since(ProcessCost before) {
        return new ProcessCost(
                cpuSeconds < 0 || before.cpuSeconds < 0 ? -1 : cpuSeconds - before.cpuSeconds,
                since(before.readBytes, readBytes),
                since(before.writtenBytes, writtenBytes),
                peakBytes);
    }

    private static long since(long before, long now) {
        return before < 0 || now < 0 ? -1 : now - before;
    }
}
