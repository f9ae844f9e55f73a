package io.drey.cli.compare;

import io.drey.bench.result.Comparison;
import io.drey.cli.format.BytesConverter;
import io.drey.cli.terminal.WrongValue;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The limits of a cloud volume, on the command line. */
public final class DiskOptions {
    private static final long BANDWIDTH_MIN = 256L << 10;

    @Option(names = "--iops", paramLabel = "N", description = "Lasting I/Os a second, of at most 256 KB each.")
    private Long iops;

    @Option(
            names = "--bandwidth",
            paramLabel = "SIZE",
            converter = BytesConverter.class,
            description = "Lasting bytes a second. Default: no limit.")
    private Long bandwidth;

    @Option(
            names = "--burst",
            paramLabel = "CREDITS",
            description = "I/Os that may be done beyond --iops before it holds. Default: none.")
    private Long burstCredits;

    @Option(
            names = "--burst-iops",
            paramLabel = "N",
            description = "I/Os a second while there is credit. Default: 3000.")
    private Long burstIops;

    private static final long BURST_IOPS = 3000;

    /** The limits, or null if the disk is to be as it is. */
    public Comparison.Disk disk() {
        return iops == null
                ? null
                : new Comparison.Disk(
                        iops,
                        bandwidth == null ? 0 : bandwidth,
                        Math.max(iops, burstIops == null ? BURST_IOPS : burstIops),
                        burstCredits == null ? 0 : burstCredits);
    }

    /** What is wrong with a value, in a sentence, or null. */
    public String wrong(CommandSpec spec) {
        if (iops == null) {
            return bandwidth == null && burstCredits == null && burstIops == null
                    ? null
                    : "--bandwidth, --burst and --burst-iops need --iops.";
        }
        return WrongValue.first(
                WrongValue.unless(iops >= 1, "--iops", "at least 1", iops),
                WrongValue.unless(
                        bandwidth == null || bandwidth >= BANDWIDTH_MIN, "--bandwidth", "at least 256k", spec),
                WrongValue.unless(burstCredits == null || burstCredits >= 0, "--burst", "0 or more", burstCredits),
                WrongValue.unless(
                        burstIops == null || burstIops >= iops, "--burst-iops", "at least --iops", burstIops));
    }
}
