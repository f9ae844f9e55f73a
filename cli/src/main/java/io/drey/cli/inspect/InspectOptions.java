package io.drey.cli.inspect;

import io.drey.cli.format.DurationConverter;
import io.drey.cli.inspect.row.RowLines;
import io.drey.cli.terminal.WrongValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of {@code drey inspect}. */
public final class InspectOptions {
    private static final int PORT_MAX = 65_535;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PATH",
            description =
                    "A checkpoint (chk-N), a directory of them, a savepoint, _metadata, a local directory of Drey,"
                            + " or a file of a store.")
    private Path path;

    @Option(names = "--verify", description = "Read all files and check every checksum.")
    private boolean verify;

    @Option(
            names = "--scan",
            description = "Read all live entries: keys per key group, largest keys and values, what is hidden.")
    private boolean scan;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "With --scan: the share of entries last accessed longer ago, for states with a time to live.")
    private Duration ttl;

    @Option(names = "--operator", paramLabel = "NAME", description = "Only this operator: its name, uid or id.")
    private String operator;

    @Option(names = "--state", paramLabel = "NAME", description = "Only this state.")
    private String state;

    @Option(names = "--key", paramLabel = "TEXT", description = "Show the entries of this key.")
    private String key;

    @Option(names = "--grep", paramLabel = "REGEX", description = "Show the entries that say this anywhere.")
    private String grep;

    @Option(names = "--sample", paramLabel = "N", description = "Show at most so many entries of each state.")
    private Integer sample;

    @Option(names = "--export", paramLabel = "FORM", description = "Write all entries: ${COMPLETION-CANDIDATES}.")
    private RowLines export;

    @Option(names = "--to", paramLabel = "FILE", description = "Where --export goes; a new file (default: the output).")
    private Path to;

    @Option(
            names = "--classpath",
            paramLabel = "JARS",
            description = "The job's jars, for types of its own; without them keys and values are bytes.")
    private String classPath;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
            names = "--web",
            arity = "0..1",
            fallbackValue = "0",
            paramLabel = "PORT",
            description = "Serve a web page for this machine only, until Ctrl-C.")
    private Integer web;

    /** A sentence if something is wrong, else null. */
    public String wrong() {
        return WrongValue.first(
                path == null ? "Missing: the PATH to look into." : null,
                WrongValue.unless(sample == null || sample > 0, "--sample", "at least 1", sample),
                WrongValue.unless(web == null || (web >= 0 && web <= PORT_MAX), "--web", "a port up to 65535", web),
                to != null && export == null ? "--to needs --export." : null,
                ttl != null && !scan ? "--ttl needs --scan." : null,
                web != null && (verify || json || scan || wantsRows())
                        ? "--web shows all on its page: leave out what prints."
                        : null,
                json && wantsRows()
                        ? "--json does not go with --key, --grep, --sample and --export: use --export jsonl."
                        : null,
                wantsRows() && (verify || scan)
                        ? "--verify and --scan read all of it; --key, --grep, --sample and --export show entries: give"
                                + " one of them."
                        : null,
                (operator != null || state != null) && !scan && !wantsRows()
                        ? "--operator and --state need --scan, --key, --grep, --sample or --export."
                        : null,
                wrongPattern());
    }

    private String wrongPattern() {
        try {
            return grep == null || Pattern.compile(grep) != null ? null : "";
        } catch (PatternSyntaxException e) {
            return WrongValue.unless(false, "--grep", "a regular expression", grep);
        }
    }

    public Path path() {
        return path;
    }

    public boolean verify() {
        return verify;
    }

    public boolean scan() {
        return scan;
    }

    /** Null if not given. */
    public Duration ttl() {
        return ttl;
    }

    public String operator() {
        return operator;
    }

    public String state() {
        return state;
    }

    public String key() {
        return key;
    }

    public Pattern grep() {
        return grep == null ? null : Pattern.compile(grep);
    }

    /** Null if not given. */
    public Integer sample() {
        return sample;
    }

    /** Whether single entries are wanted. */
    public boolean wantsRows() {
        return key != null || grep != null || sample != null || export != null;
    }

    public RowLines export() {
        return export;
    }

    public Path to() {
        return to;
    }

    public String classPath() {
        return classPath;
    }

    public boolean json() {
        return json;
    }

    /** The port of the web page, 0 for any; null for none. */
    public Integer web() {
        return web;
    }
}
