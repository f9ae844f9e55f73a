package io.drey.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drey.cli.doctor.finding.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Findings about this machine, each with its real cause, and without it: it measures disks, which takes time. */
class HostRulesIT {
    private static final String SOUND = "state.backend.type: io.drey.flink.state.DreyStateBackendFactory\n"
            + "taskmanager.memory.process.size: 1g\n"
            + "taskmanager.memory.managed.size: 256m\n"
            + "execution.checkpointing.dir: file:///tmp/checkpoints\n";

    private static final Path IN_MEMORY = Path.of("/dev/shm");

    private static List<String> soundRules;

    @TempDir
    private Path directory;

    private List<String> found(String config, Path... directories) throws IOException {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        Files.writeString(conf.resolve("config.yaml"), config);
        return Visit.machine(conf, List.of(directories)).findings().stream()
                .map(Finding::rule)
                .toList();
    }

    private String sound() throws IOException {
        Path local = Files.createDirectories(directory.resolve("local"));
        return SOUND + "state.backend.drey.local-dir: " + local + "\n";
    }

    /** The findings of a sound configuration, measured once. */
    private List<String> ofSound() throws IOException {
        if (soundRules == null) {
            soundRules = found(sound());
        }
        return soundRules;
    }

    private void isFoundOnlyWith(String rule, String line) throws IOException {
        assertThat(ofSound()).doesNotContain(rule);
        String key = line.substring(0, line.indexOf(':') + 1);
        String without = SOUND.lines().filter(each -> !each.startsWith(key)).reduce("", (a, b) -> a + b + "\n");
        assertThat(found(without + line + "\n", directory.resolve("nix"))).contains(rule);
    }

    @Test
    void aConfigurationThatNobodyGaveIsNotJudged() throws IOException {
        assertThat(Visit.machine(null, List.of()).findings())
                .extracting(Finding::rule)
                .contains("proposal")
                .doesNotContain("checkpoint-directory", "local-directory", "slots", "slot-memory");
    }

    @Test
    void memoryBeyondTheMachine() throws IOException {
        isFoundOnlyWith("process-memory", "taskmanager.memory.process.size: 4000g");
    }

    @Test
    void littleMemoryForASlot() throws IOException {
        isFoundOnlyWith("slot-memory", "taskmanager.memory.managed.size: 16m");
    }

    /** Its memory is beside Flink's managed memory, of which there may be none. */
    @Test
    void aSlotWithMemoryOfItsOwnIsJudgedByThat() throws IOException {
        String none =
                SOUND.replace("managed.size: 256m", "managed.size: 0") + "state.backend.drey.memory.fixed-per-slot: ";
        Path unmeasured = directory.resolve("nix");
        assertThat(found(none + "512m\n", unmeasured)).doesNotContain("slot-memory");
        assertThat(found(none + "16m\n", unmeasured)).contains("slot-memory");
        assertThat(found("state.backend.type: hashmap\ntaskmanager.memory.managed.size: 0\n", unmeasured))
                .as("which has no use for managed memory")
                .doesNotContain("slot-memory");
    }

    @Test
    void whoSaysWhatFlinkMayHaveGetsNoProposal() throws IOException {
        assertThat(found("taskmanager.memory.flink.size: 1g\n", directory.resolve("nix")))
                .doesNotContain("proposal");
    }

    @Test
    void aWorkingDirectoryThatWasChosenIsWhereStateLies() throws IOException {
        String drey = "state.backend.type: io.drey.flink.state.DreyStateBackendFactory\n";
        Path working = Files.createDirectories(directory.resolve("working"));
        String temporary = "io.tmp.dirs: " + directory.resolve("nix") + "\n";
        assertThat(found(drey + temporary + "process.working-dir: " + working + "\n"))
                .doesNotContain("local-directory", "directory-unusable");
        assertThat(found(drey + "process.taskmanager.working-dir: " + directory.resolve("nix") + "\n"))
                .contains("directory-unusable");
        assertThat(found(drey + "state.backend.drey.local-dir: " + working + ":" + working + "\n"))
                .doesNotContain("directory-unusable");
    }

    @Test
    void moreSlotsThanCores() throws IOException {
        isFoundOnlyWith("slots", "taskmanager.numberOfTaskSlots: 4000");
    }

    @Test
    void checkpointsThatAreNotIncremental() throws IOException {
        isFoundOnlyWith("incremental", "execution.checkpointing.incremental: false");
    }

    @Test
    void optionsThatDreyDoesNotKnowOrTake() throws IOException {
        isFoundOnlyWith("options", "state.backend.drey.locl-dir: /mnt");
        isFoundOnlyWith("options", "state.backend.drey.run.young-max: 1");
    }

    @Test
    void directoriesThatAreNotSet() throws IOException {
        String temporary = "io.tmp.dirs: " + directory.resolve("nix") + "\n";
        assertThat(ofSound()).doesNotContain("local-directory", "checkpoint-directory", "proposal");
        assertThat(found("state.backend.type: io.drey.flink.state.DreyStateBackendFactory\n" + temporary))
                .as("and the temporary directory is looked at instead")
                .contains("local-directory", "checkpoint-directory", "proposal", "directory-unusable");
    }

    @Test
    void aDirectoryThatCannotBeUsed() throws IOException {
        Path local = Files.createDirectories(directory.resolve("local"));
        assertThat(found(SOUND, local)).doesNotContain("directory-unusable");
        assertThat(found(SOUND, directory.resolve("nix"))).contains("directory-unusable");
        assertThat(found(SOUND, Files.createFile(directory.resolve("file")))).contains("directory-unusable");
        try (var left = Files.list(local)) {
            assertThat(left).as("the measured file and its directory are gone").isEmpty();
        }
    }

    @Test
    void aDirectoryInMemory() throws IOException {
        assumeTrue(
                Files.isDirectory(IN_MEMORY)
                        && Files.getFileStore(IN_MEMORY).type().equals("tmpfs"),
                "no tmpfs at " + IN_MEMORY);
        Path local = Files.createTempDirectory(IN_MEMORY, "drey-test-");
        try {
            assertThat(found(SOUND, local)).contains("directory-in-memory");
            if (!Files.getFileStore(directory).type().equals("tmpfs")) {
                assertThat(found(SOUND, directory)).doesNotContain("directory-in-memory");
            }
        } finally {
            Files.delete(local);
        }
    }

    /** On file systems of the test's own: the machine's disk may be nearly full as well. */
    @Test
    void aDiskThatIsNearlyFull() throws Exception {
        assertThat(foundOnAFileSystemOf("32m")).contains("directory-full");
        assertThat(foundOnAFileSystemOf("4g")).doesNotContain("directory-full");
    }

    private List<String> foundOnAFileSystemOf(String size) throws Exception {
        Path mounted = Files.createDirectories(directory.resolve("mounted"));
        boolean isMounted = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", mounted.toString());
        assumeTrue(isMounted, "this user cannot mount a small file system");
        try {
            return found(SOUND, mounted);
        } finally {
            assertThat(run("umount", mounted.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
