package io.drey.flink.state.options;

import java.io.File;
import java.io.Serializable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;

/**
 * The checked values of {@link DreyOptions}.
 *
 * @param incremental whether checkpoints share files with earlier ones
 * @param localDirectories where stores may lie; empty for the task manager's own directory
 * @param localDirectoriesRequired whether all of them must be usable
 * @param fixedMemoryBytes memory of a slot beside the managed memory, or 0 to use the managed memory
 * @param pageBytes size of a page of the slot's memory, or 0 to fit it to the memory
 * @param blockBytes size of a block of a local file
 * @param runBytesMax size at which a file of the last level ends
 * @param ioBytes size of a sequential read or write
 * @param directIo whether local files are read and written past the page cache
 * @param youngRunsMax young files at which a compaction is due
 * @param backgroundThreads threads that flush and compaction in this process, or 0 for the default
 * @param timerCacheSize next timers on the heap, per queue
 * @param objectCacheEntries values kept as objects, or 0 for none
 * @param transferThreads files transferred at the same time
 * @param continuousCheckpoints whether checkpoints are prepared before their barriers
 * @param restoreLazy whether a restore does not wait for files
 * @param inlineBytesMax size up to which the checkpoint storage keeps a file in its meta data
 * @param metrics how many metrics a backend has
 * @param stateHistograms whether each state has histograms although not all metrics are wanted
 */
public record DreySettings(
        boolean incremental,
        List<String> localDirectories,
        boolean localDirectoriesRequired,
        long fixedMemoryBytes,
        int pageBytes,
        int blockBytes,
        long runBytesMax,
        int ioBytes,
        boolean directIo,
        int youngRunsMax,
        int backgroundThreads,
        int timerCacheSize,
        int objectCacheEntries,
        int transferThreads,
        boolean continuousCheckpoints,
        boolean restoreLazy,
        int inlineBytesMax,
        MetricLevel metrics,
        boolean stateHistograms)
        implements Serializable {

    private static final Pattern SEPARATOR = Pattern.compile("[," + Pattern.quote(File.pathSeparator) + "]");
    private static final Pattern URI = Pattern.compile("(?:^|[,:])\\s*([A-Za-z][A-Za-z0-9+.-]+):(//?[^,]*)");
    private static final int PAGE_BYTES_MIN = 1 << 10;
    private static final int PAGE_BYTES_MAX = 16 << 20;
    private static final int BLOCK_BYTES_MIN = 64;
    private static final int BLOCK_BYTES_MAX = 1 << 20;
    private static final int IO_BYTES_MAX = 64 << 20;

    /** Well below what places in a run can say, and what jobs on several of them can sum up. */
    private static final long RUN_BYTES_MAX = 512L << 30;

    private static final int YOUNG_RUNS_MAX = 64;
    private static final int THREADS_MAX = 256;
    private static final int TIMER_CACHE_MAX = 1 << 20;
    private static final int OBJECT_CACHE_MAX = 1 << 20;

    /** Reads and checks the options; a bad value is an error that says what was expected. */
    public static DreySettings from(ReadableConfig config) {
        long blockBytes = bytes(config, DreyOptions.BLOCK_SIZE, BLOCK_BYTES_MIN, BLOCK_BYTES_MAX);
        return new DreySettings(
                read(config, CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true),
                localDirectories(config),
                read(config, DreyOptions.LOCAL_DIRECTORIES_REQUIRED, false),
                fixedMemory(config),
                pageBytes(config),
                (int) blockBytes,
                bytes(config, DreyOptions.RUN_SIZE_MAX, blockBytes, RUN_BYTES_MAX),
                (int) bytes(config, DreyOptions.IO_SIZE, blockBytes, IO_BYTES_MAX),
                read(config, DreyOptions.DIRECT_IO, false),
                count(config, DreyOptions.YOUNG_RUNS_MAX, 2, YOUNG_RUNS_MAX),
                read(config, DreyOptions.BACKGROUND_THREADS, null) == null
                        ? 0
                        : count(config, DreyOptions.BACKGROUND_THREADS, 1, THREADS_MAX),
                count(config, DreyOptions.TIMER_CACHE_SIZE, 1, TIMER_CACHE_MAX),
                count(config, DreyOptions.OBJECT_CACHE_ENTRIES, 0, OBJECT_CACHE_MAX),
                count(config, DreyOptions.TRANSFER_THREADS, 1, THREADS_MAX),
                read(config, DreyOptions.CONTINUOUS_CHECKPOINTS, true),
                read(config, DreyOptions.RESTORE_LAZY, false),
                inlineBytesMax(config),
                read(config, DreyOptions.METRICS, MetricLevel.BASIC),
                read(config, DreyOptions.STATE_HISTOGRAMS, false));
    }

    /** The settings that hold, for logs. */
    public String text() {
        return toString().substring(getClass().getSimpleName().length());
    }

    private static List<String> localDirectories(ReadableConfig config) {
        String value = read(config, DreyOptions.LOCAL_DIRECTORIES, null);
        if (value == null) {
            return List.of();
        }
        refuseUris(value);
        List<String> directories = SEPARATOR
                .splitAsStream(value)
                .map(String::strip)
                .filter(directory -> !directory.isEmpty())
                .toList();
        for (String directory : directories) {
            if (!new File(directory).isAbsolute()) {
                throw bad(DreyOptions.LOCAL_DIRECTORIES, "absolute paths of local directories", directory);
            }
        }
        if (directories.isEmpty()) {
            throw bad(DreyOptions.LOCAL_DIRECTORIES, "at least one directory", "'" + value + "'");
        }
        return directories;
    }

    /** Before the list is taken apart: a URI has a separator in it. */
    private static void refuseUris(String value) {
        Matcher uri = URI.matcher(value);
        if (uri.find()) {
            String path = uri.group(1).equals("file")
                    ? "write " + uri.group(2).replaceFirst("^/+", "/")
                    : "state lies on local disks, and checkpoints go to "
                            + CheckpointingOptions.CHECKPOINTS_DIRECTORY.key();
            throw bad(
                    DreyOptions.LOCAL_DIRECTORIES,
                    "absolute paths of local directories",
                    "the URI " + uri.group(1) + ":" + uri.group(2).strip() + ": " + path);
        }
    }

    private static long fixedMemory(ReadableConfig config) {
        MemorySize fixed = read(config, DreyOptions.FIXED_MEMORY_PER_SLOT, null);
        if (fixed != null) {
            return bytes(config, DreyOptions.FIXED_MEMORY_PER_SLOT, 1, Long.MAX_VALUE);
        }
        if (!read(config, DreyOptions.MANAGED_MEMORY, true)) {
            throw new IllegalConfigurationException("expected " + DreyOptions.FIXED_MEMORY_PER_SLOT.key()
                    + " to be set, because " + DreyOptions.MANAGED_MEMORY.key()
                    + " is false; found neither: the store needs memory outside the heap");
        }
        return 0;
    }

    /** As Flink's checkpoint storage reads its option: what it does not take it replaces by the default. */
    private static int inlineBytesMax(ReadableConfig config) {
        ConfigOption<MemorySize> option = CheckpointingOptions.FS_SMALL_FILE_THRESHOLD;
        long bytes = read(config, option, option.defaultValue()).getBytes();
        return (int)
                (bytes <= FsCheckpointStreamFactory.MAX_FILE_STATE_THRESHOLD
                        ? bytes
                        : option.defaultValue().getBytes());
    }

    private static int pageBytes(ReadableConfig config) {
        if (read(config, DreyOptions.PAGE_SIZE, null) == null) {
            return 0;
        }
        long bytes = bytes(config, DreyOptions.PAGE_SIZE, PAGE_BYTES_MIN, PAGE_BYTES_MAX);
        if (Long.bitCount(bytes) != 1) {
            throw bad(DreyOptions.PAGE_SIZE, "a power of two", new MemorySize(bytes).toString());
        }
        return (int) bytes;
    }

    private static long bytes(ReadableConfig config, ConfigOption<MemorySize> option, long min, long max) {
        MemorySize found = read(config, option, option.defaultValue());
        if (found.getBytes() < min || found.getBytes() > max) {
            String most = max == Long.MAX_VALUE ? "" : " and at most " + new MemorySize(max);
            throw bad(option, "at least " + new MemorySize(min) + most, found.toString());
        }
        return found.getBytes();
    }

    private static int count(ReadableConfig config, ConfigOption<Integer> option, int min, int max) {
        int found = read(config, option, option.defaultValue());
        if (found < min || found > max) {
            throw bad(option, "a number from " + min + " to " + max, Integer.toString(found));
        }
        return found;
    }

    /** The value of an option, or the other one if it is not set. */
    public static <T> T read(ReadableConfig config, ConfigOption<T> option, T otherwise) {
        try {
            return config.getOptional(option).orElse(otherwise);
        } catch (IllegalArgumentException e) {
            throw new IllegalConfigurationException(
                    "the value of " + option.key() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static IllegalConfigurationException bad(ConfigOption<?> option, String expected, String found) {
        return new IllegalConfigurationException(
                "expected " + option.key() + " to be " + expected + ", found " + found);
    }
}
