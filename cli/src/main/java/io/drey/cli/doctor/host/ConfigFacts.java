package io.drey.cli.doctor.host;

import java.io.File;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ConfigurationUtils;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;

/**
 * A configuration of Flink, as far as state is concerned.
 *
 * @param processBytes memory of a task manager's process as Flink works it out, -1 if it cannot be told
 * @param isSized whether an option says how large that is, or what Flink may have of it
 * @param managedBytes of that for state backends, -1 if it cannot be told
 * @param memoryOption which says how much that is
 * @param localDirectories of state backends, or the working directory that was chosen; empty if neither is set
 * @param checkpoints the directory of checkpoints, null if it is not set
 * @param refused Flink's sentence about sizes of memory with which no task manager starts, or null
 * @param wrong a sentence of the state backend about its options, or null
 */
public record ConfigFacts(
        boolean isDrey,
        String backend,
        int slots,
        long processBytes,
        boolean isSized,
        long managedBytes,
        String memoryOption,
        List<String> localDirectories,
        String temporary,
        String checkpoints,
        boolean incremental,
        String refused,
        String wrong) {
    /** A twin of the state backend's, which is reached by name only. */
    private static final ConfigOption<MemorySize> FIXED_MEMORY = ConfigOptions.key(
                    "state.backend.drey.memory.fixed-per-slot")
            .memoryType()
            .noDefaultValue();

    /** As the state backend does, between directories. */
    private static final Pattern SEPARATOR = Pattern.compile("[," + Pattern.quote(File.pathSeparator) + "]");

    private static final String LOCAL_DIRECTORIES = "state.backend.drey.local-dir";

    static ConfigFacts of(Configuration config, String wrong) {
        String backend = config.get(StateBackendOptions.STATE_BACKEND);
        boolean isDrey = backend.toLowerCase(Locale.ROOT).contains("drey");
        String working = config.getOptional(ClusterOptions.TASK_MANAGER_PROCESS_WORKING_DIR_BASE)
                .orElse("");
        String local = config.getString(LOCAL_DIRECTORIES, working);
        boolean isSized = config.contains(TaskManagerOptions.TOTAL_PROCESS_MEMORY)
                || config.contains(TaskManagerOptions.TOTAL_FLINK_MEMORY)
                || (config.contains(TaskManagerOptions.TASK_HEAP_MEMORY)
                        && config.contains(TaskManagerOptions.MANAGED_MEMORY_SIZE));
        long process = config.getOptional(TaskManagerOptions.TOTAL_PROCESS_MEMORY)
                .map(MemorySize::getBytes)
                .orElse(-1L);
        long managed = config.getOptional(TaskManagerOptions.MANAGED_MEMORY_SIZE)
                .map(MemorySize::getBytes)
                .orElse(-1L);
        String refused = null;
        if (isSized) {
            try {
                TaskExecutorProcessSpec spec = TaskExecutorProcessUtils.processSpecFromConfig(config);
                process = spec.getTotalProcessMemorySize().getBytes();
                managed = spec.getManagedMemorySize().getBytes();
            } catch (IllegalConfigurationException e) {
                refused = e.getMessage();
            }
        }
        int slots = config.get(TaskManagerOptions.NUM_TASK_SLOTS);
        long fixed = isDrey
                ? config.getOptional(FIXED_MEMORY).map(MemorySize::getBytes).orElse(-1L)
                : -1;
        return new ConfigFacts(
                isDrey,
                backend,
                slots,
                process,
                isSized,
                fixed < 0 ? managed : fixed * slots,
                fixed < 0 ? memoryOption(config) : FIXED_MEMORY.key(),
                local.isBlank()
                        ? List.of()
                        : SEPARATOR.splitAsStream(local).map(String::strip).toList(),
                config.get(CoreOptions.TMP_DIRS),
                config.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY).orElse(null),
                config.getOptional(CheckpointingOptions.INCREMENTAL_CHECKPOINTS).orElse(true),
                refused,
                wrong);
    }

    /** Where state lies in local files: the state backend's directories, or Flink's temporary ones. */
    public List<String> stateDirectories() {
        return localDirectories.isEmpty() ? List.of(ConfigurationUtils.splitPaths(temporary)) : localDirectories;
    }

    private static String memoryOption(Configuration config) {
        return config.contains(TaskManagerOptions.MANAGED_MEMORY_SIZE)
                ? TaskManagerOptions.MANAGED_MEMORY_SIZE.key()
                : TaskManagerOptions.MANAGED_MEMORY_FRACTION.key();
    }

    /** Managed memory of a slot, -1 if it cannot be told. */
    public long slotBytes() {
        return managedBytes < 0 ? -1 : managedBytes / Math.max(1, slots);
    }
}
