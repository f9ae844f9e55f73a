package io.drey.flink.state.watch;

import io.drey.flink.state.snapshot.UploadTimes.Interval;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides of what a backend shows once in a while whether there is something to warn of, and says it with its numbers.
 * A sign that stays is not said again before {@value #REPEAT_MINUTES} minutes. One thread.
 */
final class TroubleSigns {
    static final long REPEAT_MINUTES = 5;

    /** A task that waits for more of its time than this is held up. */
    private static final double STALLED_PART = 0.1;

    /** Storage that takes more than this part of the interval of checkpoints is slow, unless it takes little time. */
    private static final double UPLOADING_PART = 0.5;

    private static final long UPLOADING_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

    /** How long so much takes is not a matter of the bandwidth. */
    private static final long SMALL_BYTES = 1_000_000;

    private static final double NEARLY_FULL_PART = 0.05;
    private static final long NEARLY_FULL_BYTES_MIN = 1L << 30;
    private static final long NEARLY_FULL_BYTES_MAX = 10L << 30;

    private enum Sign {
        STALLS,
        STORAGE,
        DISK,
        FAILURES
    }

    /**
     * A backend at one moment.
     *
     * @param stalls how often its task had to wait, so far
     * @param stallNanos how long, so far
     * @param youngRuns young runs now
     * @param youngRunsMax at which a compaction is due
     * @param upload what was uploaded between the last two checkpoints
     */
    record Reading(long stalls, long stallNanos, int youngRuns, int youngRunsMax, Interval upload, List<Disk> disks) {}

    /**
     * A local directory.
     *
     * @param path where it is
     * @param failures I/Os that failed, so far
     * @param usableBytes space left, or -1 if it did not answer
     * @param diskBytes size of its disk
     */
    record Disk(String path, long failures, long usableBytes, long diskBytes) {}

    private final Map<Sign, Long> said = new EnumMap<>(Sign.class);
    private Reading last;
    private long lastNanos;

    /** The sentences that are due now. */
    List<String> look(long nowNanos, Reading reading) {
        List<String> sentences = new ArrayList<>();
        if (last != null && nowNanos > lastNanos) {
            add(sentences, Sign.STALLS, nowNanos, stalls(nowNanos - lastNanos, reading));
            add(sentences, Sign.STORAGE, nowNanos, slowStorage(reading.upload));
            add(sentences, Sign.FAILURES, nowNanos, failures(nowNanos - lastNanos, reading));
        }
        add(sentences, Sign.DISK, nowNanos, nearlyFull(reading));
        last = reading;
        lastNanos = nowNanos;
        return sentences;
    }

    private void add(List<String> sentences, Sign sign, long nowNanos, String sentence) {
        Long before = said.get(sign);
        if (sentence != null && (before == null || nowNanos - before >= TimeUnit.MINUTES.toNanos(REPEAT_MINUTES))) {
            said.put(sign, nowNanos);
            sentences.add(sentence);
        }
    }

    private String stalls(long nanos, Reading reading) {
        long waited = reading.stallNanos - last.stallNanos;
        if (waited < STALLED_PART * nanos) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "the task waited %.1f of the last %.1f s for memory or for compaction, %d times; %d young runs, due for"
                        + " compaction at %d: the local disks are too slow or the memory is too small for its writes",
                seconds(waited),
                seconds(nanos),
                reading.stalls - last.stalls,
                reading.youngRuns,
                reading.youngRunsMax);
    }

    private String slowStorage(Interval upload) {
        if (upload.number() == last.upload.number()
                || upload.intervalNanos() == 0
                || upload.nanos() < UPLOADING_NANOS_MIN
                || upload.nanos() < UPLOADING_PART * upload.intervalNanos()) {
            return null;
        }
        if (upload.bytes() < SMALL_BYTES) {
            return String.format(
                    Locale.ROOT,
                    "the checkpoint storage took %.1f s for %d KB, each %.1f s: it answers slowly; use storage that answers"
                            + " sooner, or a longer interval",
                    seconds(upload.nanos()),
                    upload.bytes() / 1000,
                    seconds(upload.intervalNanos()));
        }
        double megabytes = upload.bytes() / 1e6;
        return String.format(
                Locale.ROOT,
                "the checkpoint storage took %.1f s for %.1f MB, %.1f MB/s, and the state gives it that much each %.1f s,"
                        + " %.1f MB/s: checkpoints will take longer than their interval; use faster storage, more"
                        + " state.backend.drey.checkpoint.transfer.thread.num, or a longer interval",
                seconds(upload.nanos()),
                megabytes,
                megabytes / seconds(upload.nanos()),
                seconds(upload.intervalNanos()),
                megabytes / seconds(upload.intervalNanos()));
    }

    private String failures(long nanos, Reading reading) {
        for (int i = 0; i < Math.min(reading.disks.size(), last.disks.size()); i++) {
            Disk disk = reading.disks.get(i);
            long more = disk.failures - last.disks.get(i).failures;
            if (more > 0) {
                return String.format(
                        Locale.ROOT,
                        "the local directory %s failed %d times in the last %.1f s: new files go to the others, if"
                                + " there are any; check its disk",
                        disk.path,
                        more,
                        seconds(nanos));
            }
        }
        return null;
    }

    private static String nearlyFull(Reading reading) {
        for (Disk disk : reading.disks) {
            double enough =
                    Math.max(NEARLY_FULL_BYTES_MIN, Math.min(NEARLY_FULL_BYTES_MAX, NEARLY_FULL_PART * disk.diskBytes));
            if (disk.usableBytes >= 0 && disk.usableBytes < enough) {
                return String.format(
                        Locale.ROOT,
                        "the disk of %s has %d MB left of %d: when all disks of state.backend.drey.local-dir are full the"
                                + " job fails; free space there or add a directory",
                        disk.path,
                        disk.usableBytes >> 20,
                        disk.diskBytes >> 20);
            }
        }
        return null;
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
