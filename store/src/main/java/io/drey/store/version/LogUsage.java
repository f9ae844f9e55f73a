package io.drey.store.version;

import io.drey.store.file.FileId;
import io.drey.store.run.LogShare;
import io.drey.store.run.Run;
import io.drey.store.run.RunView;
import io.drey.store.value.ValueLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of its value logs that a version uses: the sum of the bytes that its runs say they point to. Of a run that
 * is seen in part only, the same part of that counts. A value counts as live until a compaction drops the last pointer
 * to it. Immutable.
 */
public final class LogUsage {
    /**
     * The used part of a log.
     *
     * @param valueBytes bytes of its values, dead or alive
     * @param liveBytes those of them that are pointed to
     */
    public record Use(FileId log, long valueBytes, long liveBytes) {
        public long garbageBytes() {
            return valueBytes - liveBytes;
        }
    }

    private final List<Use> uses;
    private final Map<FileId, ValueLog> logs;
    private final int views;
    private final long fileBytes;
    private final long liveBytes;

    private LogUsage(List<Use> uses, Map<FileId, ValueLog> logs, int views) {
        this.uses = List.copyOf(uses);
        this.logs = logs;
        this.views = views;
        this.fileBytes = logs.values().stream().mapToLong(ValueLog::bytes).sum();
        this.liveBytes = uses.stream().mapToLong(Use::liveBytes).sum();
    }

    public static LogUsage of(Version version) {
        Map<FileId, ValueLog> logs = new LinkedHashMap<>();
        Map<FileId, Long> live = new LinkedHashMap<>();
        List<RunView> views =
                version.views().filter(view -> !view.run().logs().isEmpty()).toList();
        views.forEach(view -> add(view, logs, live));
        List<Use> uses = new ArrayList<>();
        logs.forEach((id, log) -> {
            long liveBytes = Math.min(live.get(id), log.valueBytes());
            uses.add(new Use(id, log.valueBytes(), liveBytes));
        });
        return new LogUsage(uses, logs, views.size());
    }

    private static void add(RunView view, Map<FileId, ValueLog> logs, Map<FileId, Long> live) {
        Run run = view.run();
        Map<FileId, ValueLog> opened = new HashMap<>();
        run.logs().forEach(log -> opened.put(log.id(), log));
        double part = part(view);
        for (LogShare share : run.info().logs()) {
            logs.put(share.log(), opened.get(share.log()));
            live.merge(share.log(), (long) (share.bytes() * part), Long::sum);
        }
    }

    /** About how many bytes of the logs with these ids the entries of a view point to. */
    public static long bytesInto(RunView view, Set<FileId> logs) {
        long bytes = 0;
        for (LogShare share : view.run().info().logs()) {
            bytes += logs.contains(share.log()) ? share.bytes() : 0;
        }
        return (long) (bytes * part(view));
    }

    /** The part of its run that a view is. */
    private static double part(RunView view) {
        return (double) view.bytes() / Math.max(1, RunView.of(view.run()).bytes());
    }

    public List<Use> uses() {
        return uses;
    }

    /** The log of one of {@link #uses}. */
    public ValueLog log(Use use) {
        return logs.get(use.log());
    }

    /** How many views point to values in logs. */
    public int views() {
        return views;
    }

    /** Bytes of the files of all logs. */
    public long fileBytes() {
        return fileBytes;
    }

    /** Bytes of the values in all logs that are pointed to. */
    public long liveBytes() {
        return liveBytes;
    }
}
