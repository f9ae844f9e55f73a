package io.drey.cli.doctor.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.host.HostFacts.DirectoryFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
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
    }

    private static List<String> rules(long openFiles, int java, DirectoryFacts directory) {
        HostFacts host = new HostFacts(2, 8L << 30, "no container limit", openFiles, java, List.of(directory));
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
