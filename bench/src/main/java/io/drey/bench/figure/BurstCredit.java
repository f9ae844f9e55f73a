package io.drey.bench.figure;

import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The moment at which a cell had used up the burst of a rationed disk. A cloud volume does not tell, so this recounts
 * the credit from the device's counters: it starts full, each I/O of at most 256 KB takes one, each second gives back
 * as many as the disk may do for ever. The last credits are spread over seconds, ever fewer a second; the burst counts
 * as used up when what is left is less than a second's lasting I/Os.
 */
public final class BurstCredit {
    private static final double IO_BYTES = ProcessSample.Io.BYTES_MAX;

    private BurstCredit() {}

    /** I/Os of a sample as a cloud counts them. */
    public static double ios(ProcessSample sample) {
        ProcessSample.Io io = sample.device();
        return Math.max(io.reads(), io.readBytes() / IO_BYTES) + Math.max(io.writes(), io.writeBytes() / IO_BYTES);
    }

    /**
     * Seconds since the first sample began, at the end of the first sample that left nearly none; empty if none did.
     */
    public static OptionalDouble usedUp(List<ProcessSample> samples, Comparison.Disk disk) {
        if (disk == null || disk.burstCredits() <= 0) {
            return OptionalDouble.empty();
        }
        double credit = disk.burstCredits();
        for (ProcessSample sample : samples) {
            if (sample.device() == null) {
                return OptionalDouble.empty();
            }
            credit = Math.min(disk.burstCredits(), credit + disk.iops() * sample.length() - ios(sample));
            if (credit <= disk.iops()) {
                return OptionalDouble.of(sample.second());
            }
        }
        return OptionalDouble.empty();
    }
}
