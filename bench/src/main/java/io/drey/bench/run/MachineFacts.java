package io.drey.bench.run;

import com.sun.management.OperatingSystemMXBean;
import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Finds out what machine this is and what runs on it, as far as the operating system tells. */
public final class MachineFacts {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path RELEASE = Path.of("/etc/os-release");
    private static final Pattern MODEL = Pattern.compile("model name\\s*:\\s*(.+)");
    private static final Pattern PRETTY = Pattern.compile("PRETTY_NAME=\"?([^\"]+)\"?");
    private static final String UNKNOWN = "unknown";

    private MachineFacts() {}

    /** The machine, with the disk below a directory. */
    public static Comparison.Machine of(Path work) throws IOException {
        String release = first(RELEASE, PRETTY);
        String kernel = System.getProperty("os.name") + " " + System.getProperty("os.version");
        return new Comparison.Machine(
                first(PROCESSORS, MODEL),
                Runtime.getRuntime().availableProcessors(),
                memoryBytes(),
                release.equals(UNKNOWN) ? kernel : kernel + ", " + release,
                disk(work));
    }

    /** The versions of what takes part in a comparison, by name. */
    static Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("drey", drey());
        versions.put("flink", flink());
        versions.put("java", java());
        return versions;
    }

    /** The version of Drey, as its jars say. */
    public static String drey() {
        String ofJar = MachineFacts.class.getPackage().getImplementationVersion();
        return ofJar == null ? "built from source" : ofJar;
    }

    /** The version of Flink on the class path. */
    public static String flink() {
        return EnvironmentInformation.getVersion();
    }

    /** The virtual machine and its version. */
    public static String java() {
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    }

    /** Memory of the machine in bytes, in a container what that may use; -1 where it is not known. */
    public static long memoryBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : -1;
    }

    private static String first(Path file, Pattern pattern) throws IOException {
        if (!Files.isReadable(file)) {
            return UNKNOWN;
        }
        List<String> lines = Files.readAllLines(file);
        for (String line : lines) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.matches()) {
                return matcher.group(1).strip();
            }
        }
        return UNKNOWN;
    }

    private static String disk(Path work) throws IOException {
        FileStore store = Files.getFileStore(work);
        return String.format(Locale.ROOT, "%s, %d GB", store.type(), store.getTotalSpace() >> 30);
    }
}
