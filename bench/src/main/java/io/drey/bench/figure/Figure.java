package io.drey.bench.figure;

/**
 * Every figure of a cell: its name in JSON, its unit, what it means. All that shows figures goes through this list, so
 * that a figure has one name and one definition; {@code docs/reference/comparison.md} lists them, and a test compares
 * the two.
 */
public enum Figure {
    EVENTS_MEDIAN(
            Group.THROUGHPUT,
            "eventsPerSecond",
            "Events per second, median",
            Unit.EVENTS_PER_SECOND,
            "Median over the measured seconds of the events that the stateful operator processed in each."),
    EVENTS_P10(
            Group.THROUGHPUT,
            "eventsPerSecondP10",
            "Events per second, 10th percentile",
            Unit.EVENTS_PER_SECOND,
            "A tenth of the measured seconds had at most this many events."),
    EVENTS_MIN(
            Group.THROUGHPUT,
            "eventsPerSecondMin",
            "Events per second, worst second",
            Unit.EVENTS_PER_SECOND,
            "The measured second with the fewest events."),
    EVENTS_MEAN(
            Group.THROUGHPUT,
            "eventsPerSecondMean",
            "Events per second, mean",
            Unit.EVENTS_PER_SECOND,
            "All events of the measured seconds, divided by their length."),
    EVENTS_AFTER_BURST(
            Group.THROUGHPUT,
            "eventsPerSecondAfterBurst",
            "Events per second, after the burst",
            Unit.EVENTS_PER_SECOND,
            "On a rationed disk: median over the measured seconds after the burst credit was used up, the rate that"
                    + " lasts; absent if it never was."),
    STEADINESS(
            Group.THROUGHPUT,
            "steadiness",
            "Steadiness: p10 / median",
            Unit.RATIO,
            "The 10th percentile of events per second divided by the median: 1 is a perfectly even rate."),
    EVENTS_STILL(
            Group.THROUGHPUT,
            "secondsWithoutProgress",
            "Seconds without progress",
            Unit.COUNT,
            Better.LOWER,
            "Measured seconds in which the stateful operator processed no event at all."),
    FILL_RATE(
            Group.THROUGHPUT,
            "fillEventsPerSecond",
            "Events per second while filling",
            Unit.EVENTS_PER_SECOND,
            "All events of repetition 0, which fills the state from nothing, divided by the length of its seconds."),
    FILL_STILL(
            Group.THROUGHPUT,
            "fillSecondsWithoutProgress",
            "Seconds without progress while filling",
            Unit.COUNT,
            Better.LOWER,
            "The same of repetition 0, from its first event on."),
    CPU_TOTAL(
            Group.CPU,
            "cpuPerEvent",
            "CPU per event, all threads",
            Unit.MICROSECONDS_PER_EVENT,
            "CPU time of the process in the measured seconds divided by their events: microseconds per event, or"
                    + " seconds per million events."),
    CPU_TASK(
            Group.CPU,
            "cpuPerEventTask",
            "of that: task threads",
            Unit.MICROSECONDS_PER_EVENT,
            Better.NEITHER,
            "CPU time of the threads that run the job's operators, without its sources."),
    CPU_SOURCE(
            Group.CPU,
            "cpuPerEventSource",
            "of that: sources",
            Unit.MICROSECONDS_PER_EVENT,
            Better.NEITHER,
            "CPU time of the threads that generate the input: the same work for every backend."),
    CPU_BACKGROUND(
            Group.CPU,
            "cpuPerEventBackground",
            "of that: background",
            Unit.MICROSECONDS_PER_EVENT,
            Better.NEITHER,
            "CPU time of the state backend's own threads: flushes, merges, compaction."),
    CPU_CHECKPOINT(
            Group.CPU,
            "cpuPerEventCheckpoint",
            "of that: checkpoints",
            Unit.MICROSECONDS_PER_EVENT,
            Better.NEITHER,
            "CPU time of the threads that write and upload checkpoints."),
    CPU_GC(
            Group.CPU,
            "cpuPerEventGc",
            "of that: garbage collector",
            Unit.MICROSECONDS_PER_EVENT,
            Better.NEITHER,
            "CPU time of the garbage collector's threads."),
    CPU_JIT(
            Group.CPU,
            "cpuPerEventJit",
            "of that: compiler",
            Unit.MICROSECONDS_PER_EVENT,
            Better.NEITHER,
            "CPU time of the virtual machine's compiler threads."),
    CPU_OTHER(
            Group.CPU,
            "cpuPerEventOther",
            "of that: everything else",
            Unit.MICROSECONDS_PER_EVENT,
            Better.NEITHER,
            "CPU time of all other threads: Flink's coordination, network, metrics."),
    RESIDENT_PEAK(
            Group.MEMORY,
            "residentPeakBytes",
            "Resident memory, peak",
            Unit.BYTES,
            "The largest resident size of the process from its start to its end."),
    HEAP_MEDIAN(
            Group.MEMORY,
            "heapBytes",
            "Heap in use, median",
            Unit.BYTES,
            "Median over the measured seconds of the heap in use, garbage included."),
    GC_PAUSES(
            Group.MEMORY,
            "gcPauses",
            "Garbage collector: pauses",
            Unit.COUNT,
            "Number of pauses of the garbage collector in the measured seconds."),
    GC_SHARE(
            Group.MEMORY,
            "gcPauseShare",
            "Garbage collector: share of time paused",
            Unit.PERCENT,
            "The length of these pauses together divided by the length of the measured seconds."),
    GC_MAX(
            Group.MEMORY,
            "gcPauseMaxMs",
            "Garbage collector: longest pause",
            Unit.MILLISECONDS,
            "The longest of these pauses; absent if there was none."),
    ALLOCATED(
            Group.MEMORY,
            "allocatedBytesPerEvent",
            "Allocated per event",
            Unit.BYTES_PER_EVENT,
            "Bytes of heap that all Java threads allocated in the measured seconds, divided by their events."),
    INDEX_MAX(
            Group.MEMORY,
            "indexBytes",
            "Resident index, largest",
            Unit.BYTES,
            "The most memory that indexes of the state's files took for good in a measured second, as Drey's metrics"
                    + " tell."),
    PROCESS_READS(
            Group.DISK,
            "processReadsPerEvent",
            "Process: read calls per event",
            Unit.PER_EVENT,
            "Read system calls of the process per event, whether or not they reached a disk; sockets count too."),
    PROCESS_READ_BYTES(
            Group.DISK,
            "processReadBytesPerEvent",
            "Process: bytes read per event",
            Unit.BYTES_PER_EVENT,
            "Bytes that the process caused to be fetched from a device, per event."),
    PROCESS_WRITES(
            Group.DISK,
            "processWritesPerEvent",
            "Process: write calls per event",
            Unit.PER_EVENT,
            "Write system calls of the process per event; sockets count too."),
    PROCESS_WRITE_BYTES(
            Group.DISK,
            "processWriteBytesPerEvent",
            "Process: bytes written per event",
            Unit.BYTES_PER_EVENT,
            "Bytes that the process caused to be sent to a device, per event, checkpoints included."),
    DEVICE_READS(
            Group.DISK,
            "deviceReadsPerEvent",
            "Device: reads per event",
            Unit.PER_EVENT,
            "Reads that the kernel counted on the state's own device, per event; only if the device is ours."),
    DEVICE_READ_BYTES(
            Group.DISK,
            "deviceReadBytesPerEvent",
            "Device: bytes read per event",
            Unit.BYTES_PER_EVENT,
            "Bytes of these reads, per event."),
    DEVICE_WRITES(
            Group.DISK,
            "deviceWritesPerEvent",
            "Device: writes per event",
            Unit.PER_EVENT,
            "Writes that the kernel counted on the state's own device, per event; only if the device is ours."),
    DEVICE_WRITE_BYTES(
            Group.DISK,
            "deviceWriteBytesPerEvent",
            "Device: bytes written per event",
            Unit.BYTES_PER_EVENT,
            "Bytes of these writes, per event."),
    FLUSH_BYTES(
            Group.DISK,
            "flushBytesPerEvent",
            "Drey: bytes flushed per event",
            Unit.BYTES_PER_EVENT,
            "Bytes of files written from memory, per event, as Drey's metrics tell."),
    YOUNG_BYTES(
            Group.DISK,
            "youngBytesPerEvent",
            "Drey: bytes of young compactions per event",
            Unit.BYTES_PER_EVENT,
            "Bytes of files that compactions of young ones wrote, per event."),
    LEVEL_BYTES(
            Group.DISK,
            "levelBytesPerEvent",
            "Drey: bytes of the last level per event",
            Unit.BYTES_PER_EVENT,
            "Bytes of files that compactions into the last level wrote, per event."),
    BURST_USED_UP(
            Group.DISK,
            "burstUsedUpSecond",
            "Burst used up after",
            Unit.SECONDS,
            Better.NEITHER,
            "On a rationed disk: seconds since the cell's first sample after which its I/Os, counted in units of 256"
                    + " KB, had used up the burst credit; computed from the device's counters, absent if that never"
                    + " happened."),
    LOCAL_PEAK(
            Group.DISK,
            "localPeakBytes",
            "Local space, peak",
            Unit.BYTES,
            "The most that the state backend's local directory held in a measured second."),
    CHECKPOINT_P50(
            Group.CHECKPOINT,
            "checkpointMs",
            "Checkpoint duration, median",
            Unit.MILLISECONDS,
            "Median over the measured checkpoints that completed, from trigger to completion; the first after a"
                    + " restore is never one of them."),
    CHECKPOINT_P99(
            Group.CHECKPOINT,
            "checkpointP99Ms",
            "Checkpoint duration, 99th percentile",
            Unit.MILLISECONDS,
            "99th percentile of the same; of fewer than a hundred it lies between the two longest."),
    CHECKPOINT_MAX(
            Group.CHECKPOINT,
            "checkpointMaxMs",
            "Checkpoint duration, longest",
            Unit.MILLISECONDS,
            "The longest of the same."),
    CHECKPOINT_SYNC(
            Group.CHECKPOINT,
            "checkpointSyncMaxMs",
            "Synchronous part, longest",
            Unit.MILLISECONDS,
            "The longest time that a subtask stood still for one of these checkpoints."),
    CHECKPOINTS(
            Group.CHECKPOINT,
            "checkpointsCompleted",
            "Checkpoints completed",
            Unit.COUNT,
            Better.NEITHER,
            "Number of measured checkpoints that completed."),
    CHECKPOINTS_FAILED(
            Group.CHECKPOINT,
            "checkpointsFailed",
            "Checkpoints failed",
            Unit.COUNT,
            "Number of measured checkpoints that did not complete."),
    UPLOADED(
            Group.CHECKPOINT,
            "checkpointUploadedBytes",
            "Uploaded per checkpoint, median",
            Unit.BYTES,
            "Median over these checkpoints of the bytes that had to be uploaded."),
    UPLOADED_MAX(
            Group.CHECKPOINT,
            "checkpointUploadedMaxBytes",
            "Uploaded per checkpoint, most",
            Unit.BYTES,
            "The most of the same."),
    FULL_SIZE(
            Group.CHECKPOINT,
            "checkpointFullBytes",
            "Full size of the last checkpoint",
            Unit.BYTES,
            "What a restore of the last of these checkpoints needs."),
    FILES(
            Group.CHECKPOINT,
            "checkpointFiles",
            "Files in the checkpoint store",
            Unit.COUNT,
            "Number of files in the checkpoint store after the last of these checkpoints."),
    COMMIT_P50(
            Group.CHECKPOINT,
            "commitLatencyMs",
            "Event to committed row, median",
            Unit.MILLISECONDS,
            "Of jobs that commit their output with checkpoints: median over the rows that became visible in the measured"
                    + " seconds of the time since their events were created."),
    COMMIT_P99(
            Group.CHECKPOINT,
            "commitLatencyP99Ms",
            "Event to committed row, 99th percentile",
            Unit.MILLISECONDS,
            "99th percentile of the same."),
    RESTORE_FIRST(
            Group.RESTORE,
            "restoreFirstEventMs",
            "Restore to the first event",
            Unit.MILLISECONDS,
            "From submitting the job with the checkpoint to its first event processed."),
    RESTORE_FULL(
            Group.RESTORE,
            "restoreFullSpeedMs",
            "Restore to full speed",
            Unit.MILLISECONDS,
            "From submitting the job to the first second at 0.9 of the later median rate; absent if that never came.");

    /** The part of the report that a figure belongs to. */
    public enum Group {
        THROUGHPUT("Throughput", Better.HIGHER),
        CPU("CPU", Better.LOWER),
        MEMORY("Memory", Better.LOWER),
        DISK("Disk", Better.LOWER),
        CHECKPOINT("Checkpoints", Better.LOWER),
        RESTORE("Restore", Better.LOWER);

        private final String title;
        private final Better better;

        Group(String title, Better better) {
            this.title = title;
            this.better = better;
        }

        /** For people. */
        public String title() {
            return title;
        }
    }

    /** The direction that a user wishes for. */
    public enum Better {
        HIGHER,
        LOWER,
        NEITHER
    }

    private final Group group;
    private final String json;
    private final String title;
    private final Unit unit;
    private final Better better;
    private final String definition;

    /** A figure for which a user wishes as usual in its group. */
    Figure(Group group, String json, String title, Unit unit, String definition) {
        this(group, json, title, unit, group.better, definition);
    }

    Figure(Group group, String json, String title, Unit unit, Better better, String definition) {
        this.group = group;
        this.json = json;
        this.title = title;
        this.unit = unit;
        this.better = better;
        this.definition = definition;
    }

    /** The part of the report. */
    public Group group() {
        return group;
    }

    /** The name in JSON; stays as it is. */
    public String json() {
        return json;
    }

    /** For people. */
    public String title() {
        return title;
    }

    /** What it is counted in. */
    public Unit unit() {
        return unit;
    }

    /** Which direction a user wishes for. */
    public Better better() {
        return better;
    }

    /** What it means and how it is measured. */
    public String definition() {
        return definition;
    }
}
