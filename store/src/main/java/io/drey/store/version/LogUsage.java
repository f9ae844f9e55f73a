package io.drey.store.version;

import io.drey.store.file.FileId;
import io.drey.store.run.LogShare;
import io.drey.store.run.Run;
import io.drey.store.run.Slice;
import io.drey.store.value.ValueLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a version uses of its value logs: the sum of what its runs say they point to. Of a run that is seen in part only, the
 * same part of that counts. A value counts as live until a merge drops the last pointer to it. Immutable.
 */
public final class LogUsage {
    /** A log and how many of its bytes are live. */
    public record Use(ValueLog log, long liveBytes) {
        public long garbageBytes() {
            return log.valueBytes() - liveBytes;
        }
    }

    private final List<Use> uses;

    private LogUsage(List<Use> uses) {
        this.uses = List.copyOf(uses);
    }

    public static LogUsage of(Version version) {
        Map<FileId, ValueLog> logs = new LinkedHashMap<>();
        Map<FileId, Long> live = new LinkedHashMap<>();
        version.young().forEach(slice -> add(slice, logs, live));
        version.levels().forEach(level -> level.forEach(slice -> add(slice, logs, live)));
        List<Use> uses = new ArrayList<>();
        logs.forEach((id, log) -> uses.add(new Use(log, Math.min(live.get(id), log.valueBytes()))));
        return new LogUsage(uses);
    }

    private static void add(Slice slice, Map<FileId, ValueLog> logs, Map<FileId, Long> live) {
        Run run = slice.run();
        if (run.logs().isEmpty()) {
            return;
        }
        Map<FileId, ValueLog> opened = new HashMap<>();
        run.logs().forEach(log -> opened.put(log.id(), log));
        double part = (double) slice.bytes() / Math.max(1, Slice.of(run).bytes());
        for (LogShare share : run.info().logs()) {
            logs.put(share.log(), opened.get(share.log()));
            live.merge(share.log(), (long) (share.bytes() * part), Long::sum);
        }
    }

    public List<Use> uses() {
        return uses;
    }

    /** Bytes of the values in all logs, dead or alive. */
    public long valueBytes() {
        return uses.stream().mapToLong(use -> use.log().valueBytes()).sum();
    }

    /** Bytes of the files of all logs. */
    public long fileBytes() {
        return uses.stream().mapToLong(use -> use.log().bytes()).sum();
    }

    public long liveBytes() {
        return uses.stream().mapToLong(Use::liveBytes).sum();
    }
}
