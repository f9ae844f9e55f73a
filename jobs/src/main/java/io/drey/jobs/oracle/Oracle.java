package io.drey.jobs.oracle;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Computes a job's result in plain Java, from the same files, one replica after the other: the keys of replicas are
 * distinct, so that a replica never sees another's state, and memory does not grow with their number.
 *
 * <p>It shares nothing with the jobs on purpose, neither the reading of files nor the order of events nor the hash of
 * rows: what both would get wrong together, no comparison would find. The rules that both follow are written down in
 * {@code docs/reference/demo-jobs.md}.
 */
public final class Oracle {
    private Oracle() {}

    /**
     * The expected result.
     *
     * @param job the name of the job
     * @param directory the input, or null for the data set that ships with Drey
     * @param repeat number of replicas
     */
    public static Expectation expect(String job, Path directory, int repeat) throws IOException {
        ExpectedRows.Summing rows = new ExpectedRows.Summing();
        run(job, directory, repeat, rows);
        return rows.expectation();
    }

    /** All expected rows as lines, in no particular order. */
    public static void lines(String job, Path directory, int repeat, Consumer<String> consumer) throws IOException {
        run(job, directory, repeat, (timestampMs, digest, line) -> consumer.accept(line.get()));
    }

    private static void run(String job, Path directory, int repeat, ExpectedRows rows) throws IOException {
        RawTables tables = RawTables.read(directory);
        ReplicaOracle oracle = switch (job) {
            case "last-seen" -> new LastSeenOracle(tables);
            case "weather-join" -> new WeatherJoinOracle(tables);
            case "flight-sample" -> new FlightSampleOracle(tables);
            default -> throw new IllegalArgumentException("There is no job " + job);
        };
        for (int replica = 0; replica < repeat; replica++) {
            oracle.rows(replica == 0 ? "" : "#" + replica, replica * 1000L, rows);
        }
    }
}
