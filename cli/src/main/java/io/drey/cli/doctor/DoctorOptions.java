package io.drey.cli.doctor;

import io.drey.cli.format.DurationConverter;
import io.drey.cli.terminal.WrongValue;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of {@code drey doctor}. */
public final class DoctorOptions {
    /** Looks that are less apart may see the same metrics of Flink, and take all that counts for still. */
    private static final Duration SPAN_MIN = Duration.ofSeconds(11);

    private static final Duration SPAN = Duration.ofSeconds(12);
    private static final Duration SPAN_MAX = Duration.ofMinutes(10);
    private static final int PORT_MAX = 65_535;

    @Option(names = "--config", paramLabel = "DIR", description = "Flink's conf directory, to check its options.")
    private Path config;

    @Option(
            names = "--local-dir",
            paramLabel = "DIR",
            split = ",",
            description = "Directories for local state, to measure (default: those of --config).")
    private List<Path> directories = new ArrayList<>();

    @Option(names = "--rest", paramLabel = "URL", description = "Look at a running job by Flink's REST API there.")
    private URI rest;

    @Option(names = "--job", paramLabel = "ID", description = "Which job (default: the one that runs).")
    private String job;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to look at a job; Flink's metrics change every 10 s (default: 12s).")
    private Duration span;

    @Option(names = "--watch", description = "Look again and again, until Ctrl-C.")
    private boolean watch;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /** A sentence if something is wrong, else null. */
    public String wrong(CommandSpec spec) {
        // Java knows no host with an underscore.
        boolean isWeb = rest == null
                || (String.valueOf(rest.getScheme()).matches("https?")
                        && rest.getHost() != null
                        && rest.getPort() <= PORT_MAX);
        return WrongValue.first(
                WrongValue.unless(
                        isWeb, "--rest", "an address like http://localhost:8081, without _ in its host", rest),
                WrongValue.unless(
                        span().compareTo(SPAN_MIN) >= 0 && span().compareTo(SPAN_MAX) <= 0,
                        "--for",
                        "11s to 10min",
                        spec),
                rest == null && (job != null || span != null || watch) ? "--job, --for and --watch need --rest." : null,
                rest != null && (config != null || !directories.isEmpty())
                        ? "--rest looks at a job; --config and --local-dir at this machine: give one of them."
                        : null);
    }

    /** Null if not given. */
    public Path config() {
        return config;
    }

    public List<Path> directories() {
        return directories;
    }

    /** Null for this machine. */
    public URI rest() {
        return rest;
    }

    /** Null for the one that runs. */
    public String job() {
        return job;
    }

    public Duration span() {
        return span == null ? SPAN : span;
    }

    public boolean watch() {
        return watch;
    }

    public boolean json() {
        return json;
    }
}
