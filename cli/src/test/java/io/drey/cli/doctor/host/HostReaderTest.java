package io.drey.cli.doctor.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.host.HostFacts.DirectoryFacts;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of containers in both of their forms, and the rules on what tests cannot bring about. */
class HostReaderTest {
    @TempDir
    private Path groups;

    private void write(String file, String content) throws IOException {
        Path path = groups.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content + "\n");
    }

    @Test
    void limitsOfBothVersionsOfControlGroupsAreRead() throws IOException {
        HostReader reader = new HostReader(groups);
        assertThat(reader.memoryLimit()).isEqualTo(Long.MAX_VALUE);
        assertThat(reader.read(List.of()).container()).isEqualTo("no container limit");

        write("memory/memory.limit_in_bytes", "536870912");
        write("cpu/cpu.cfs_quota_us", "50000");
        write("cpu/cpu.cfs_period_us", "100000");
        assertThat(reader.memoryLimit()).isEqualTo(512L << 20);
        assertThat(reader.cores()).isEqualTo(0.5);
        assertThat(reader.read(List.of()).memoryBytes()).isEqualTo(512L << 20);
        assertThat(reader.read(List.of()).memoryIsLimited()).isTrue();
        assertThat(reader.read(List.of()).container()).isEqualTo("limits of cgroup v1");

        write("cgroup.controllers", "cpu memory");
        write("memory.max", "1073741824");
        write("cpu.max", "75000 100000");
        assertThat(reader.memoryLimit()).isEqualTo(1L << 30);
        assertThat(reader.cores()).isEqualTo(0.75);
        assertThat(reader.read(List.of()).container()).isEqualTo("limits of cgroup v2");

        write("memory.max", "max");
        write("cpu.max", "max 100000");
        assertThat(reader.memoryLimit()).isEqualTo(Long.MAX_VALUE);
        assertThat(reader.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(reader.read(List.of()).memoryIsLimited()).isFalse();
    }

    /** In a container Java says its limit when it is asked for the memory of the machine. */
    @Test
    void aLimitThatIsAllThatJavaSeesIsALimit() throws IOException {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        write("cgroup.controllers", "cpu memory");
        write("memory.max", Long.toString(system.getTotalMemorySize()));
        assertThat(new HostReader(groups).read(List.of()).memoryIsLimited()).isTrue();
    }

    private static List<Finding> ofProcess(boolean memoryIsLimited, Long processMb) {
        return ofMemory(1000, memoryIsLimited, process(processMb));
    }

    private static List<Finding> ofMemory(long hostMb, boolean memoryIsLimited, Configuration config) {
        HostFacts host = new HostFacts(2, hostMb << 20, memoryIsLimited, "", 1 << 20, 17, List.of());
        return HostRules.findings(host, ConfigFacts.of(config, null));
    }

    private static Configuration process(Long mb) {
        Configuration config = new Configuration();
        if (mb != null) {
            config.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, MemorySize.ofMebiBytes(mb));
        }
        return config;
    }

    private static Configuration flink(long mb) {
        Configuration config = new Configuration();
        config.set(TaskManagerOptions.TOTAL_FLINK_MEMORY, MemorySize.ofMebiBytes(mb));
        return config;
    }

    @Test
    void managedMemoryIsWhatFlinkMakesOfAProcess() {
        assertThat(managedMb(process(1L << 10))).isEqualTo(230);
        assertThat(managedMb(process(16L << 10))).isEqualTo(6_041);
        assertThat(managedMb(process(64L << 10))).isEqualTo(25_702);
        assertThat(managedMb(flink(1 << 10))).isEqualTo(409);
        assertThat(managedMb(process(null))).as("nobody says").isEqualTo(-1);
    }

    private static long managedMb(Configuration config) {
        return ConfigFacts.of(config, null).managedBytes() >> 20;
    }

    @Test
    void aProcessIsJudgedByAllThatItTakesWhicheverOptionSaysSo() {
        assertThat(ofMemory(23 << 10, false, flink(64 << 10)))
                .filteredOn(each -> each.rule().equals("process-memory"))
                .singleElement()
                .satisfies(each -> assertThat(each.evidence()).contains("65.3 GB", "23.0 GB"));
        assertThat(ofMemory(23 << 10, false, flink(16 << 10)))
                .extracting(Finding::rule)
                .doesNotContain("process-memory");
    }

    @Test
    void memoryThatFlinkRefusesIsFoundWithItsReason() {
        assertThat(ofMemory(23 << 10, false, process(300L)))
                .filteredOn(each -> each.rule().equals("memory-options"))
                .singleElement()
                .satisfies(each -> assertThat(each.evidence()).contains("exceed configured Total Process Memory"));
        for (Configuration fine : List.of(process(null), process(2L << 10))) {
            assertThat(ofMemory(23 << 10, false, fine))
                    .extracting(Finding::rule)
                    .doesNotContain("memory-options");
        }
    }

    @Test
    void theProposedProcessIsOneThatFlinkTakes() {
        assertThat(ofMemory(23 << 10, false, process(null)))
                .anyMatch(each -> each.advice().contains("fraction: 0.45;")
                        && each.expectation().contains("About 9.27 GB for state"));
        assertThat(ofProcess(true, null))
                .anyMatch(each -> each.advice().contains("fraction: 0.4;")
                        && each.expectation().contains("About 221 MB for state"));
        assertThat(ofMemory(600, true, process(null))).extracting(Finding::rule).doesNotContain("proposal");
    }

    /** Kubernetes makes the limit of a container from the size of the process. */
    @Test
    void aProcessMayFillItsContainerAndNotAMachine() {
        assertThat(ofProcess(true, 1000L)).extracting(Finding::rule).doesNotContain("process-memory");
        assertThat(ofProcess(true, 1001L)).extracting(Finding::rule).contains("process-memory");
        assertThat(ofProcess(false, 950L)).extracting(Finding::rule).doesNotContain("process-memory");
        assertThat(ofProcess(false, 960L)).extracting(Finding::rule).contains("process-memory");
    }

    @Test
    void theProposedProcessIsOneThatIsNotComplainedOf() {
        assertThat(ofProcess(true, null)).anyMatch(each -> each.advice().contains("process.size: 1000m"));
        assertThat(ofProcess(false, null)).anyMatch(each -> each.advice().contains("process.size: 950m"));
    }

    private static List<String> rules(long openFiles, int java, DirectoryFacts directory) {
        HostFacts host = new HostFacts(2, 8L << 30, false, "no container limit", openFiles, java, List.of(directory));
        return HostRules.findings(host, ConfigFacts.of(new Configuration(), null)).stream()
                .map(Finding::rule)
                .toList();
    }

    @Test
    void slowAndRemoteDisksFewFilesAndOldJavaAreFound() {
        DirectoryFacts fast =
                new DirectoryFacts("/a", null, "ext4", 100L << 30, 200L << 30, true, 90, 200, 50_000, 800e6);
        DirectoryFacts cloud =
                new DirectoryFacts("/a", null, "ext4", 100L << 30, 200L << 30, true, 900, 9_000, 2_500, 120e6);
        DirectoryFacts remote =
                new DirectoryFacts("/a", null, "nfs4", 100L << 30, 200L << 30, true, 90, 200, 50_000, 800e6);
        assertThat(rules(1 << 20, 17, fast))
                .doesNotContain("open-files", "java", "directory-slow", "directory-in-network");
        assertThat(rules(1024, 11, fast)).contains("open-files", "java");
        assertThat(rules(1 << 20, 17, cloud)).contains("directory-slow");
        assertThat(rules(1 << 20, 17, remote)).contains("directory-in-network");
    }
}
