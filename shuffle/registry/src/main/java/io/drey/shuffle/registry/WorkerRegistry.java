package io.drey.shuffle.registry;

import io.drey.shuffle.protocol.message.Membership.Exclude;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Membership.Workers;
import io.drey.shuffle.protocol.message.WorkerReport;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The workers that a registry heard of. It lives in memory and is filled anew by heartbeats; only exclusions are kept
 * elsewhere. Any thread may call it: it is asked a few times a second, and waits for nothing.
 */
public final class WorkerRegistry {
    /** How often a worker says how it is. */
    public static final long HEARTBEAT_MS = 2_000;

    /** Silence after which a worker gets no new partitions. */
    static final long SUSPECTED_MS = 10_000;

    /** Silence after which a worker counts as lost. */
    static final long LOST_MS = 60_000;

    /**
     * Silence after which a worker is forgotten: its machine has been replaced, or its directories. Job managers take
     * it for lost as before; each that recovers asks all that are known, as long as its jobs last.
     */
    static final long FORGOTTEN_MS = 24 * 60 * 60_000;

    /** Workers above which the one that is silent for longest is forgotten. */
    static final int WORKERS_MAX = 4096;

    private final LongSupplier nowMs;
    private final Function<Exclusions, CompletableFuture<Void>> keeper;
    private final Map<UUID, Heard> workers = new LinkedHashMap<>();
    private Exclusions exclusions;

    private record Heard(WorkerReport report, long atMs) {}

    /**
     * @param nowMs a clock that never goes back
     * @param exclusions the list that was kept last
     * @param keeper keeps a list instead of those that it was told before; it returns at once, and tells the end later
     */
    public WorkerRegistry(
            LongSupplier nowMs, Exclusions exclusions, Function<Exclusions, CompletableFuture<Void>> keeper) {
        this.nowMs = nowMs;
        this.exclusions = exclusions;
        this.keeper = keeper;
    }

    /** A worker says how it is; whether it is excluded. */
    public synchronized boolean heard(WorkerReport report) {
        long now = nowMs.getAsLong();
        workers.remove(report.id());
        // The order of the map is that of the last heartbeats.
        Iterator<Heard> eldest = workers.values().iterator();
        while (eldest.hasNext() && (now - eldest.next().atMs() >= FORGOTTEN_MS || workers.size() == WORKERS_MAX)) {
            eldest.remove();
        }
        workers.put(report.id(), new Heard(report, now));
        return exclusions.reasons().containsKey(report.id());
    }

    /** Those workers that were asked for, or all. */
    public synchronized Workers list(ListWorkers request) {
        List<Member> members = new ArrayList<>();
        long now = nowMs.getAsLong();
        for (UUID id : request.ids().isEmpty() ? workers.keySet() : request.ids()) {
            Heard heard = workers.get(id);
            if (heard != null) {
                String reason = exclusions.reasons().get(id);
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

    /** Excludes a worker, known or not, or takes that back: from now on. The result is done when that is kept. */
    public synchronized CompletableFuture<Void> exclude(Exclude request) {
        exclusions = exclusions.with(request, System.currentTimeMillis());
        // One after the other: what is kept last is the newest.
        return keeper.apply(exclusions);
    }
}
