package io.drey.flink.state.options;

import io.drey.store.StoreSettings;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/** Every option of the state backend and of the changelog storage. {@code docs/reference/options.md} holds the same list for readers. */
public final class DreyOptions {
    public static final ConfigOption<String> LOCAL_DIRECTORIES = ConfigOptions.key("state.backend.drey.local-dir")
            .stringType()
            .noDefaultValue()
            .withDescription("Local directories for the store's files, separated by commas. Each file goes to the"
                    + " one that is fastest lately and has space. Default: the task manager's working directory.");

    public static final ConfigOption<Boolean> LOCAL_DIRECTORIES_REQUIRED = ConfigOptions.key(
                    "state.backend.drey.local-dir-required")
            .booleanType()
            .defaultValue(false)
            .withDescription(
                    "Whether the job fails if one of the local directories cannot be used when a backend opens,"
                            + " rather than do without it.");

    public static final ConfigOption<Boolean> MANAGED_MEMORY = ConfigOptions.key("state.backend.drey.memory.managed")
            .booleanType()
            .defaultValue(true)
            .withDescription("Whether all stores of a slot share the state backend's part of Flink's managed memory. If"
                    + " false, memory.fixed-per-slot must be set.");

    public static final ConfigOption<MemorySize> FIXED_MEMORY_PER_SLOT = ConfigOptions.key(
                    "state.backend.drey.memory.fixed-per-slot")
            .memoryType()
            .noDefaultValue()
            .withDescription(
                    "Memory outside the heap for all stores of a slot, beside Flink's managed memory. Overrides"
                            + " memory.managed.");

    public static final ConfigOption<MemorySize> PAGE_SIZE = ConfigOptions.key("state.backend.drey.memory.page-size")
            .memoryType()
            .noDefaultValue()
            .withDescription("Size of a page of the slot's memory, a power of two. Default: 64 KB, halved down to 4 KB"
                    + " until the slot has 1024 pages, so that several operators fit a small slot.");

    public static final ConfigOption<MemorySize> BLOCK_SIZE = ConfigOptions.key("state.backend.drey.block-size")
            .memoryType()
            .defaultValue(new MemorySize(StoreSettings.BLOCK_BYTES))
            .withDescription("Size of a block of a local file before compression: what one cold read reads.");

    public static final ConfigOption<MemorySize> RUN_SIZE_MAX = ConfigOptions.key("state.backend.drey.run.size-max")
            .memoryType()
            .defaultValue(new MemorySize(StoreSettings.RUN_BYTES_MAX))
            .withDescription("Size at which a file of the last level is finished and another one begun.");

    public static final ConfigOption<MemorySize> IO_SIZE = ConfigOptions.key("state.backend.drey.io-size")
            .memoryType()
            .defaultValue(new MemorySize(StoreSettings.IO_BYTES))
            .withDescription("Size of a sequential read or write in the background.");

    public static final ConfigOption<Boolean> DIRECT_IO = ConfigOptions.key("state.backend.drey.io.direct")
            .booleanType()
            .defaultValue(false)
            .withDescription(
                    "Reads and writes local files past the page cache: for measuring, and for disks whose cache"
                            + " must not be shared. The file system of the local directories has to support it.");

    public static final ConfigOption<Integer> YOUNG_RUNS_MAX = ConfigOptions.key("state.backend.drey.run.young-max")
            .intType()
            .defaultValue(StoreSettings.YOUNG_RUNS_MAX)
            .withDescription("Number of young files at which a compaction is due.");

    public static final ConfigOption<Integer> BACKGROUND_THREADS = ConfigOptions.key(
                    "state.backend.drey.background.threads")
            .intType()
            .noDefaultValue()
            .withDescription("Threads of the process that flush and compact for all stores. Default: half the cores.");

    public static final ConfigOption<Integer> TIMER_CACHE_SIZE = ConfigOptions.key(
                    "state.backend.drey.timer.cache-size")
            .intType()
            .defaultValue(32 << 10)
            .withDescription("Next timers kept on the heap, per timer queue.");

    public static final ConfigOption<Integer> OBJECT_CACHE_ENTRIES = ConfigOptions.key(
                    "state.backend.drey.object-cache.entries")
            .intType()
            .defaultValue(8192)
            .withDescription("Values of value, reducing and aggregating states kept on the heap as objects, per backend"
                    + " and rounded up to a power of two; 512 bytes of serialized values for each of them at most."
                    + " 0 turns the object cache off.");

    public static final ConfigOption<Integer> TRANSFER_THREADS = ConfigOptions.key(
                    "state.backend.drey.checkpoint.transfer.thread.num")
            .intType()
            .defaultValue(4)
            .withDescription("Files of a backend that are uploaded or downloaded at the same time.");

    public static final ConfigOption<Boolean> CONTINUOUS_CHECKPOINTS = ConfigOptions.key(
                    "state.backend.drey.checkpoint.continuous")
            .booleanType()
            .defaultValue(true)
            .withDescription("Whether state is written and uploaded shortly before the next checkpoint is expected, so"
                    + " that it takes little time. Only for incremental checkpoints in a file system.");

    public static final ConfigOption<Boolean> RESTORE_LAZY = ConfigOptions.key("state.backend.drey.restore.lazy")
            .booleanType()
            .defaultValue(false)
            .withDescription("Whether a restored job begins before its files are local: it reads what it needs from the"
                    + " checkpoint storage, while all of them are downloaded in the background.");

    public static final ConfigOption<MetricLevel> METRICS = ConfigOptions.key("state.backend.drey.metrics")
            .enumType(MetricLevel.class)
            .defaultValue(MetricLevel.BASIC)
            .withDescription("Metrics of a backend: off, basic (a few that explain most incidents), or full (all, also"
                    + " of each state and each local directory).");

    public static final ConfigOption<Boolean> STATE_HISTOGRAMS = ConfigOptions.key(
                    "state.backend.drey.state-histograms")
            .booleanType()
            .defaultValue(false)
            .withDescription("Histograms of latencies and sizes of each state, also if metrics are not full.");

    public static final ConfigOption<MemorySize> CHANGELOG_MEMORY = ConfigOptions.key("state.changelog.drey.memory")
            .memoryType()
            .defaultValue(MemorySize.ofMebiBytes(64))
            .withDescription("Memory outside the heap, for each job in a task manager, of changes that the changelog"
                    + " storage has not stored yet. Tasks wait when it is used up.");

    /** All of them, in the order of the documentation. */
    public static final List<ConfigOption<?>> ALL = List.of(
            LOCAL_DIRECTORIES,
            LOCAL_DIRECTORIES_REQUIRED,
            MANAGED_MEMORY,
            FIXED_MEMORY_PER_SLOT,
            PAGE_SIZE,
            BLOCK_SIZE,
            RUN_SIZE_MAX,
            IO_SIZE,
            DIRECT_IO,
            YOUNG_RUNS_MAX,
            BACKGROUND_THREADS,
            TIMER_CACHE_SIZE,
            OBJECT_CACHE_ENTRIES,
            TRANSFER_THREADS,
            CONTINUOUS_CHECKPOINTS,
            RESTORE_LAZY,
            METRICS,
            STATE_HISTOGRAMS,
            CHANGELOG_MEMORY);

    private DreyOptions() {}
}
