package io.drey.jobs.digest;

import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A row of output, as a hash: what jobs compute is compared and not read. A class with public fields because Flink
 * serializes such classes field by field.
 *
 * <p>The event time is that of the last input that it takes to make the row, or of the timer or window that makes it:
 * so once a watermark has passed, no row of that time can come, in whatever order two inputs are read.
 */
public final class OutputRow {
    public static final TypeInformation<OutputRow> TYPE = TypeInformation.of(OutputRow.class);

    /** In milliseconds since 1970. */
    public long eventTimeMs;

    /** Over everything that the row says, as {@link io.drey.jobs.tally.Digest} makes it. */
    public long digest;

    public OutputRow() {}

    public OutputRow(long eventTimeMs, long digest) {
        this.eventTimeMs = eventTimeMs;
        this.digest = digest;
    }
}
