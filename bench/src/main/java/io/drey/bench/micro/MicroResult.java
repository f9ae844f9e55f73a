package io.drey.bench.micro;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The findings of one run of the benchmarks of single operations, as they are kept in {@value #FILE}.
 *
 * @param format version of this shape
 * @param startedAt ISO 8601, UTC
 * @param command the command that repeats it
 * @param machine processor, cores and memory
 * @param java the virtual machine
 * @param rows in the order in which they ran
 */
public record MicroResult(
        int format, String startedAt, String command, String machine, String java, List<MicroRow> rows) {
    /** The shape that this version writes. */
    public static final int FORMAT = 1;

    /** Its name in a folder of results. */
    public static final String FILE = "micro.json";

    public MicroResult {
        rows = List.copyOf(rows);
    }

    /** The findings in JMH's file of results. */
    public static MicroResult of(String startedAt, String command, String machine, String java, Path jmh)
            throws IOException {
        return new MicroResult(FORMAT, startedAt, command, machine, java, JmhResults.read(jmh));
    }
}
