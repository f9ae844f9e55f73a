package io.drey.cli.doctor.host;

import static io.drey.bench.format.Quantity.count;
import static io.drey.bench.format.Quantity.number;
import static io.drey.bench.format.Quantity.size;

import io.drey.cli.doctor.finding.Finding;
import io.drey.cli.doctor.finding.FindingList;
import io.drey.cli.doctor.host.HostFacts.DirectoryFacts;
import io.drey.files.local.LocalDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;

/**
 * Rules that say what does not fit between a machine and a configuration. Each rule is a function of facts, or null.
 */
public final class HostRules {
    private static final long SLOT_BYTES_MIN = 64L << 20;
    private static final double MEMORY_USED_MAX = 0.95;
    private static final long OPEN_FILES_MIN = 16_384;
    private static final int JAVA_MIN = 17;
    private static final double READ_MICROS_MAX = 1_000;
    private static final double READS_PER_SECOND_MIN = 3_000;
    private static final double WRITE_BYTES_MIN = 60e6;
    private static final double FULLNESS_MAX = 0.9;
    private static final long USABLE_BYTES_MIN = 2L << 30;
    private static final int MANAGED_PERCENT = 45;
    private static final int PERCENT_STEP = 5;
    private static final Set<String> MEMORY_SYSTEMS = Set.of("tmpfs", "ramfs");

    private HostRules() {}

    /** What the rules find; a null configuration is one that nobody gave, so nothing is said about it. */
    public static List<Finding> findings(HostFacts host, ConfigFacts config) {
        List<Finding> findings = new ArrayList<>(FindingList.found(openFiles(host), java(host)));
        if (config != null) {
            findings.addAll(FindingList.found(
                    processMemory(host, config),
                    memoryOptions(config),
                    slotMemory(config),
                    slots(host, config),
                    localDirectory(config),
                    checkpointDirectory(config),
                    incremental(config),
                    options(config)));
        }
        if (config == null || !config.isSized()) {
            findings.addAll(FindingList.found(proposal(host, config)));
        }
        for (DirectoryFacts directory : host.directories()) {
            findings.addAll(FindingList.found(
                    unusable(directory),
                    memoryDisk(directory),
                    networkDisk(directory),
                    slowDisk(directory),
                    fullDisk(directory)));
        }
        return findings;
    }

    /** All of a container's limit, which Kubernetes makes of the process's size; a machine has others to run, too. */
    private static double processBytesMax(HostFacts host) {
        return host.memoryBytes() * (host.memoryIsLimited() ? 1 : MEMORY_USED_MAX);
    }

    static Finding processMemory(HostFacts host, ConfigFacts config) {
        return config.processBytes() <= processBytesMax(host)
                ? null
                : Finding.problem(
                        "process-memory",
                        "The task manager asks for more memory than there is",
                        "by taskmanager.memory.* its process takes " + size(config.processBytes())
                                + ", this machine has " + size(host.memoryBytes()) + " (" + host.container() + ")",
                        "Flink takes what it was told; the system ends processes that go beyond what there is.",
                        "Set taskmanager.memory.process.size to at most " + size(processBytesMax(host)) + ".",
                        "No task manager is killed for its memory.");
    }

    static Finding memoryOptions(ConfigFacts config) {
        return config.refused() == null
                ? null
                : Finding.problem(
                        "memory-options",
                        "Flink refuses the memory of the task manager",
                        config.refused(),
                        "The sizes of taskmanager.memory.* do not go together.",
                        "Set taskmanager.memory.process.size to 1g or more, and no more sizes than are needed.",
                        "The task manager starts.");
    }

    static Finding slotMemory(ConfigFacts config) {
        return !config.isDrey() || config.slotBytes() < 0 || config.slotBytes() >= SLOT_BYTES_MIN
                ? null
                : Finding.limit(
                        "slot-memory",
                        "A slot has little managed memory",
                        size(config.managedBytes()) + " of managed memory for " + config.slots() + " slots are "
                                + size(config.slotBytes()) + " for each",
                        "State that does not fit in memory is read from disk.",
                        "Raise " + config.memoryOption() + ", or use fewer slots: at least " + size(SLOT_BYTES_MIN)
                                + " for each.",
                        "Fewer reads from disk, if the state in use is larger than the memory.");
    }

    static Finding slots(HostFacts host, ConfigFacts config) {
        return config.slots() <= Math.ceil(host.cores())
                ? null
                : Finding.limit(
                        "slots",
                        "There are more slots than cores",
                        "taskmanager.numberOfTaskSlots is " + config.slots() + ", this machine gives "
                                + number(host.cores()) + " cores (" + host.container() + ")",
                        "Tasks, flushes and compactions share the cores.",
                        "Use at most as many slots as cores, or give the container more of them.",
                        "Less waiting for the processor; compaction keeps up.");
    }

    static Finding openFiles(HostFacts host) {
        return host.openFilesMax() < 0 || host.openFilesMax() >= OPEN_FILES_MIN
                ? null
                : Finding.problem(
                        "open-files",
                        "A process may open few files",
                        "the limit is " + count(host.openFilesMax()) + " (ulimit -n)",
                        "A state backend keeps its files open: Drey one for each 64 MB of state, RocksDB alike.",
                        "Raise the limit to at least " + count(OPEN_FILES_MIN) + ".",
                        "No task fails with 'Too many open files'.");
    }

    static Finding java(HostFacts host) {
        return host.javaVersion() >= JAVA_MIN
                ? null
                : Finding.problem(
                        "java",
                        "This Java is too old for Drey",
                        "Java " + host.javaVersion() + " runs this command",
                        "Drey's classes are of Java " + JAVA_MIN + ".",
                        "Run Flink with Java " + JAVA_MIN + " or newer.",
                        "The backend can be loaded.");
    }

    static Finding localDirectory(ConfigFacts config) {
        return !config.isDrey() || !config.localDirectories().isEmpty()
                ? null
                : Finding.limit(
                        "local-directory",
                        "Local state goes to the temporary directory",
                        "state.backend.drey.local-dir is not set; io.tmp.dirs is " + config.temporary(),
                        "Temporary directories are often on a small or slow disk, or in memory.",
                        "Set state.backend.drey.local-dir to directories on the fastest local disks.",
                        "State is where its disk was chosen for it.");
    }

    static Finding checkpointDirectory(ConfigFacts config) {
        return config.checkpoints() != null
                ? null
                : Finding.limit(
                        "checkpoint-directory",
                        "No directory for checkpoints is set",
                        "execution.checkpointing.dir is not in the configuration",
                        "Without it checkpoints stay in the job manager's memory and are lost with it.",
                        "Set execution.checkpointing.dir to storage that all machines reach.",
                        "A job survives the loss of any machine.");
    }

    static Finding incremental(ConfigFacts config) {
        return config.incremental()
                ? null
                : Finding.limit(
                        "incremental",
                        "Every checkpoint uploads all state",
                        "execution.checkpointing.incremental is false",
                        "Files that an earlier checkpoint uploaded are not used again.",
                        "Set it to true.",
                        "A checkpoint writes what changed.");
    }

    static Finding options(ConfigFacts config) {
        return config.wrong() == null
                ? null
                : Finding.problem(
                        "options",
                        "An option of the state backend is wrong",
                        config.wrong(),
                        "The configuration was written for another version, or by a slip of the keyboard.",
                        "Correct it; docs/reference/options.md lists all options of Drey.",
                        "The job starts with the settings that were meant.");
    }

    /** What would suit this machine, if Flink takes it; said only if no configuration sizes the process. */
    static Finding proposal(HostFacts host, ConfigFacts config) {
        Configuration proposed = new Configuration();
        proposed.set(
                TaskManagerOptions.TOTAL_PROCESS_MEMORY, MemorySize.ofMebiBytes((long) processBytesMax(host) >> 20));
        long managed = -1;
        for (int percent = MANAGED_PERCENT; percent > 0 && managed < 0; percent -= PERCENT_STEP) {
            // Of a small process the heap and the network need more of it.
            proposed.set(TaskManagerOptions.MANAGED_MEMORY_FRACTION, percent / 100f);
            managed = ConfigFacts.of(proposed, null).managedBytes();
        }
        if (managed < 0) {
            return null;
        }
        DirectoryFacts best = host.directories().stream()
                .filter(each -> each.problem() == null)
                .filter(each -> config == null || !config.stateDirectories().contains(each.path()))
                .max(java.util.Comparator.comparingDouble(DirectoryFacts::readsPerSecond))
                .orElse(null);
        return Finding.note(
                "proposal",
                "What would suit this machine",
                number(host.cores()) + " cores, " + size(host.memoryBytes()) + " of memory (" + host.container() + ")",
                "The configuration does not say how large the process is.",
                "taskmanager.memory.process.size: "
                        + proposed.get(TaskManagerOptions.TOTAL_PROCESS_MEMORY).getMebiBytes()
                        + "m; taskmanager.memory.managed.fraction: "
                        + proposed.get(TaskManagerOptions.MANAGED_MEMORY_FRACTION)
                        + "; taskmanager.numberOfTaskSlots: " + (int) Math.max(1, host.cores())
                        + (best == null ? "" : "; state.backend.drey.local-dir: " + best.path()),
                "About " + size(managed) + " for state, the rest for heap, network and Java.");
    }

    static Finding unusable(DirectoryFacts directory) {
        return directory.problem() == null
                ? null
                : Finding.problem(
                        "directory-unusable",
                        "A directory for local state cannot be used",
                        directory.path() + ": " + directory.problem(),
                        "It does not exist, or its owner or mount does not let this user write.",
                        "Make it, mount its disk, or take it out of the option.",
                        "Its disk takes its part of the state.");
    }

    static Finding memoryDisk(DirectoryFacts directory) {
        return !MEMORY_SYSTEMS.contains(directory.fileSystem())
                ? null
                : Finding.problem(
                        "directory-in-memory",
                        "A directory for local state is in memory",
                        directory.path() + " is " + directory.fileSystem() + " of " + size(directory.totalBytes()),
                        "Files there count against the memory of the machine or container.",
                        "Use a directory on a disk.",
                        "State can be larger than memory, and no process is killed for it.");
    }

    static Finding networkDisk(DirectoryFacts directory) {
        return !LocalDirectory.isInNetwork(directory.fileSystem())
                ? null
                : Finding.limit(
                        "directory-in-network",
                        "A directory for local state is in the network",
                        directory.path() + " is " + directory.fileSystem(),
                        "Each read of state crosses the network; local state needs no safety: checkpoints give it.",
                        "Use a local disk, or a block device.",
                        "Reads take as long as the disk does.");
    }

    static Finding slowDisk(DirectoryFacts directory) {
        boolean fast = directory.problem() != null
                || (directory.readMicros() <= READ_MICROS_MAX
                        && directory.readsPerSecond() >= READS_PER_SECOND_MIN
                        && directory.writeBytesPerSecond() >= WRITE_BYTES_MIN);
        return fast
                ? null
                : Finding.limit(
                        "directory-slow",
                        "A disk for local state is slow",
                        directory.path() + ": a read takes " + number(directory.readMicros())
                                + " us (99 of 100 less than "
                                + number(directory.slowestReadMicros()) + "), "
                                + count((long) directory.readsPerSecond())
                                + " reads/s at most, " + size(directory.writeBytesPerSecond()) + "/s written",
                        "A network disk, a disk limited by its price, or a burst that has been used up.",
                        "Give the state more memory, use a faster disk, or several directories on disks of their own.",
                        "A task whose state is not in memory does at most " + count((long) directory.readsPerSecond())
                                + " reads of state a second for all slots together.");
    }

    static Finding fullDisk(DirectoryFacts directory) {
        boolean roomy = directory.problem() != null
                || (directory.usableBytes() >= USABLE_BYTES_MIN
                        && directory.usableBytes() >= (1 - FULLNESS_MAX) * directory.totalBytes());
        return roomy
                ? null
                : Finding.problem(
                        "directory-full",
                        "A disk for local state is nearly full",
                        directory.path() + " has " + size(directory.usableBytes()) + " left of "
                                + size(directory.totalBytes()),
                        "State, or other files.",
                        "Make room; plan twice the size of the state for compaction.",
                        "Compaction does not wait for space, and no job fails for it.");
    }
}
