package io.drey.shuffle.registry;

import io.drey.shuffle.protocol.message.Membership.Exclude;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Membership.Workers;
import io.drey.shuffle.protocol.message.WorkerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The workers that a registry heard of. It lives in memory and is filled anew by heartbeats; only exclusions are kept,
 * in a file. Any thread may call it: it is asked a few times a second.
 */
public final class WorkerRegistry {
    /** How often a worker says how it is. */
    public static final long HEARTBEAT_MS = 2_000;

    /** Silence after which a worker gets no new partitions. */
    static final long SUSPECTED_MS = 10_000;

    /** Silence after which a worker counts as lost. */
    static final long LOST_MS = 60_000;

    /** Workers above which the one that is silent for longest is forgotten. */
    static final int WORKERS_MAX = 4096;

    private final LongSupplier nowMs;
    private final ExclusionFile exclusions;
    private final Map<UUID, Heard> workers = new LinkedHashMap<>();

    private record Heard(WorkerReport report, long atMs) {}

    /**
     * Reads the exclusions.
     *
     * @param nowMs a clock that never goes back
     * @param exclusions the file for them, which need not be there
     */
    public WorkerRegistry(LongSupplier nowMs, Path exclusions) throws IOException {
        this.nowMs = nowMs;
        this.exclusions = new ExclusionFile(exclusions);
    }

    /** A worker says how it is; whether it is excluded. */
    public synchronized boolean heard(WorkerReport report) {
        // The order of the map is that of the last heartbeats.
        workers.remove(report.id());
        if (workers.size() == WORKERS_MAX) {
            workers.remove(workers.keySet().iterator().next());
        }
        workers.put(report.id(), new Heard(report, nowMs.getAsLong()));
        return exclusions.reason(report.id()) != null;
    }

    /** Those workers that were asked for, or all. */
    public synchronized Workers list(ListWorkers request) {
        List<Member> members = new ArrayList<>();
        long now = nowMs.getAsLong();
        for (UUID id : request.ids().isEmpty() ? workers.keySet() : request.ids()) {
            Heard heard = workers.get(id);
            if (heard != null) {
                String reason = exclusions.reason(id);
                long silentMs = Math.max(0, now - heard.atMs());
                members.add(new Member(
                        heard.report(), health(silentMs), silentMs, reason != null, reason == null ? "" : reason));
            }
        }
        return new Workers(members);
    }

    private static Health health(long silentMs) {
        return silentMs >= LOST_MS ? Health.LOST : silentMs >= SUSPECTED_MS ? Health.SUSPECTED : Health.ALIVE;
    }

    /** Excludes a worker, known or not, or takes that back. */
    public synchronized void exclude(Exclude request) throws IOException {
        exclusions.set(request.worker(), request.excluded() ? request.reason() : null);
    }
}
