package io.drey.shuffle.worker;

import io.drey.foundation.DreyException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The options of a worker: those that are given, by name as in its configuration, over defaults. Immutable. */
public final class WorkerOptions {
    private static final long MEMORY_BYTES_MIN = 16L << 20;
    private static final int PORT_MAX = 0xffff;

    /** Addresses to listen at, which nobody can dial. */
    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

    /** Two renewals: a job that runs gives a sign of life each 10 s. */
    private static final Duration LEASE_KEEP_MIN = Duration.ofSeconds(20);

    /** Of times that are added to others. */
    private static final Duration TIME_MAX = Duration.ofDays(3_653);

    /** An option; docs/reference/shuffle-options.md says what each one means. */
    public enum Key {
        DIRECTORIES("directories", "drey-shuffle"),
        HOST("host", "127.0.0.1"),
        PORT("port", "9470"),
        ADVERTISED_HOST("advertised-host", ""),
        REGISTRY("registry", ""),
        SECRET_FILE("secret-file", ""),
        MEMORY("memory", "256m"),
        THREADS("threads", "0"),
        CONNECTIONS_MAX("connections.max", "16384"),
        SPLIT_SIZE("split.size", "1g"),
        FREE_SPACE_MIN("free-space.min", "1g"),
        LEASE_KEEP("lease.keep", "10min"),
        DRAIN_TIMEOUT("drain.timeout", "5s"),
        HTTP_PORT("http.port", "-1");

        private final String text;
        private final String standard;

        Key(String text, String standard) {
            this.text = text;
            this.standard = standard;
        }

        public String text() {
            return text;
        }

        public String standard() {
            return standard;
        }
    }

    private final Map<String, String> given;

    private WorkerOptions(Map<String, String> given) {
        this.given = Map.copyOf(given);
    }

    /** Defaults: a worker for its own machine, with data in one directory. */
    public static WorkerOptions of(Path directory) {
        return new WorkerOptions(Map.of(Key.DIRECTORIES.text(), directory.toString()));
    }

    /** Options by name; one that there is not is an error. */
    public static WorkerOptions of(Map<String, String> given) {
        Collection<String> known = new ArrayList<>();
        for (Key key : Key.values()) {
            known.add(key.text());
        }
        for (String name : given.keySet()) {
            if (!known.contains(name)) {
                throw new DreyException("expected an option of the worker, found '" + name + "'; there are " + known);
            }
        }
        WorkerOptions options = new WorkerOptions(given);
        options.check();
        return options;
    }

    /** All values are read once, so that a wrong one is found at the start. */
    private void check() {
        directories();
        port();
        registries();
        memoryBytes();
        threads();
        connectionsMax();
        splitBytes();
        freeBytesMin();
        leaseKeep();
        drainTimeout();
        httpPort();
    }

    /** Refuses addresses at which a job would be told to find this worker, and would not: it would fail. */
    void checkAddresses() {
        if (WILDCARDS.contains(advertisedHost())) {
            throw new DreyException("expected an address at which others reach this worker as option "
                    + Key.ADVERTISED_HOST.text() + ", found '" + advertisedHost()
                    + "', which is for listening: set the name or address of this machine");
        }
        for (HostAndPort registry : registries()) {
            if (!HostAndPort.isLoopback(registry.host())
                    && (HostAndPort.isLoopback(advertisedHost()) || listensAtLoopback(registry))) {
                throw new DreyException("expected an address that others reach, because registry " + registry
                        + " is not on this machine alone, found " + Key.HOST.text() + " '" + host() + "' and "
                        + Key.ADVERTISED_HOST.text() + " '" + advertisedHost() + "': set " + Key.HOST.text()
                        + " to an address of this machine, or to 0.0.0.0 and " + Key.ADVERTISED_HOST.text()
                        + " to its name");
            }
        }
    }

    /** Also by a name: a machine may know itself as 127.0.1.1, where others do not reach it. */
    private boolean listensAtLoopback(HostAndPort registry) {
        if (HostAndPort.isLoopback(host())) {
            return true;
        }
        try {
            // By the same name it may be a registry for itself alone.
            return !registry.host().equalsIgnoreCase(host())
                    && InetAddress.getByName(host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // Said when it listens.
            return false;
        }
    }

    public WorkerOptions with(Key key, String value) {
        Map<String, String> changed = new TreeMap<>(given);
        changed.put(key.text(), value);
        return of(changed);
    }

    public WorkerOptions withPort(int port) {
        return with(Key.PORT, String.valueOf(port));
    }

    public WorkerOptions withMemory(long bytes) {
        return with(Key.MEMORY, String.valueOf(bytes));
    }

    public WorkerOptions withFreeBytesMin(long bytes) {
        return with(Key.FREE_SPACE_MIN, String.valueOf(bytes));
    }

    private String text(Key key) {
        return given.getOrDefault(key.text(), key.standard()).trim();
    }

    private <T> T value(Key key, String expected, Function<String, T> parser) {
        try {
            return parser.apply(text(key));
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            throw new DreyException(
                    "expected " + expected + " as option " + key.text() + ", found '" + text(key) + "'", e);
        }
    }

    private int number(Key key, int least, int most) {
        return value(key, "a number of " + least + " to " + most, text -> {
            int number = Integer.parseInt(text);
            if (number < least || number > most) {
                throw new IllegalArgumentException(text);
            }
            return number;
        });
    }

    private long bytes(Key key, long least) {
        return value(key, "at least " + least + " bytes, such as 256m or 1g,", text -> {
            int shift = "kmgt".indexOf(Character.toLowerCase(text.charAt(text.length() - 1))) + 1;
            String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
            long bytes = Math.multiplyExact(Long.parseLong(digits), 1L << (10 * shift));
            if (bytes < least) {
                throw new IllegalArgumentException(text);
            }
            return bytes;
        });
    }

    private Duration time(Key key, Duration least) {
        return value(key, "a time of " + least.toSeconds() + " s to ten years, such as 30s or 10min,", text -> {
            String unit = text.replaceFirst("\\d+", "");
            long number = Long.parseLong(text.substring(0, text.length() - unit.length()));
            Duration time = switch (unit) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "min" -> Duration.ofMinutes(number);
                default -> throw new IllegalArgumentException(text);
            };
            if (time.compareTo(least) < 0 || time.compareTo(TIME_MAX) > 0) {
                throw new IllegalArgumentException(text);
            }
            return time;
        });
    }

    /** For its data; its identity is in them. */
    public List<Path> directories() {
        return value(Key.DIRECTORIES, "paths separated by commas", text -> {
            List<String> names = Stream.of(text.split(",")).map(String::strip).toList();
            if (names.isEmpty() || names.contains("")) {
                // The empty path would be the working directory: nobody means that, but a variable that is not set.
                throw new IllegalArgumentException(text);
            }
            return names.stream().map(Path::of).toList();
        });
    }

    /** Where it listens; only the own machine reaches the loopback address. */
    public String host() {
        return HostAndPort.bare(text(Key.HOST));
    }

    /** 0: any. */
    public int port() {
        return number(Key.PORT, 0, PORT_MAX);
    }

    /** Where others reach it. */
    public String advertisedHost() {
        return text(Key.ADVERTISED_HOST).isEmpty() ? host() : HostAndPort.bare(text(Key.ADVERTISED_HOST));
    }

    /** Where registries are: host and port of each; empty if the worker is its own. */
    public List<HostAndPort> registries() {
        return text(Key.REGISTRY).isEmpty()
                ? List.of()
                : value(
                        Key.REGISTRY,
                        "hosts with ports, separated by commas,",
                        text -> List.of(text.split(",")).stream()
                                .map(each -> HostAndPort.parse(each.trim()))
                                .toList());
    }

    /** A file with the secret of the cluster; null if there is none. */
    public Path secretFile() {
        return text(Key.SECRET_FILE).isEmpty() ? null : Path.of(text(Key.SECRET_FILE));
    }

    /** The pool of slabs for data under way. */
    public long memoryBytes() {
        return bytes(Key.MEMORY, MEMORY_BYTES_MIN);
    }

    /** That serve connections. */
    public int threads() {
        int threads = number(Key.THREADS, 0, 256);
        return threads == 0 ? Math.min(4, Runtime.getRuntime().availableProcessors()) : threads;
    }

    /** Connections above which further ones are closed. */
    public int connectionsMax() {
        return number(Key.CONNECTIONS_MAX, 1, 1 << 20);
    }

    /** Length of a file at which its writer is asked to go on elsewhere. */
    public long splitBytes() {
        return bytes(Key.SPLIT_SIZE, 1);
    }

    /** Left free in the file system of each directory. */
    public long freeBytesMin() {
        return bytes(Key.FREE_SPACE_MIN, 0);
    }

    /** How long a job's data is kept after its last sign of life. */
    public Duration leaseKeep() {
        return time(Key.LEASE_KEEP, LEASE_KEEP_MIN);
    }

    /** How long a drain waits for regions under way. */
    public Duration drainTimeout() {
        return time(Key.DRAIN_TIMEOUT, Duration.ZERO);
    }

    /** Of metrics and health: 0: any, -1: none. */
    public int httpPort() {
        return number(Key.HTTP_PORT, -1, PORT_MAX);
    }
}
