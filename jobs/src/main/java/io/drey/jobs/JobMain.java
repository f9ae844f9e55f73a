package io.drey.jobs;

import io.drey.jobs.data.DataLocation;
import io.drey.jobs.feed.FailAfter;
import io.drey.jobs.oracle.Expectation;
import io.drey.jobs.oracle.Oracle;
import io.drey.jobs.tally.ResultTally;
import io.drey.jobs.tally.Tally;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The entry point for submitting a job to a Flink cluster: {@code last-seen [--input DIR] [--repeat N] [--output DIR]
 * [--fail-after N] [--verify true]}. State backend, checkpoints and parallelism are the cluster's configuration. Prints
 * the result; with {@code --verify}, fails unless it is exact.
 */
public final class JobMain {
    private static final Set<String> OPTIONS = Set.of("input", "repeat", "output", "fail-after", "verify");

    private JobMain() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            throw new IllegalArgumentException("The first argument must be the name of a job.");
        }
        FlightJob job = FlightJob.named(args[0]);
        Map<String, String> options = options(args);
        String input = options.get("input");
        int repeat = Integer.parseInt(options.getOrDefault("repeat", "1"));
        String failAfter = options.get("fail-after");
        JobSettings settings = new JobSettings(
                input == null ? DataLocation.builtIn() : DataLocation.in(Path.of(input)),
                repeat,
                failAfter == null ? null : new FailAfter(UUID.randomUUID().toString(), Long.parseLong(failAfter)),
                options.get("output"));

        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        job.build(env, settings);
        JobExecutionResult result = env.execute(job.jobName());
        Tally tally = ResultTally.of(result.getAllAccumulatorResults());
        if (tally == null) {
            throw new IllegalStateException("The job ended without a result: it was restored from its own end.");
        }
        System.out.printf(Locale.ROOT, "rows %d, checksum %016x%n", tally.count, tally.checksum);
        tally.first().forEach(System.out::println);
        if (Boolean.parseBoolean(options.get("verify"))) {
            verify(tally, Oracle.expect(job.jobName(), input == null ? null : Path.of(input), repeat));
        }
    }

    private static void verify(Tally tally, Expectation expected) {
        if (tally.count != expected.count() || tally.checksum != expected.checksum()) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "The result is wrong: expected %d rows with checksum %016x, found %d with %016x.",
                    expected.count(),
                    expected.checksum(),
                    tally.count,
                    tally.checksum));
        }
        System.out.println("The result is exact.");
    }

    private static Map<String, String> options(String[] args) {
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < args.length; i += 2) {
            String name = args[i].startsWith("--") ? args[i].substring(2) : "";
            if (!OPTIONS.contains(name) || i + 1 == args.length) {
                throw new IllegalArgumentException(
                        "Expected --input, --repeat, --output, --fail-after or --verify and a " + "value, found "
                                + args[i] + ".");
            }
            options.put(name, args[i + 1]);
        }
        return options;
    }
}
