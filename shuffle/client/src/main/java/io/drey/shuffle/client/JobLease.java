package io.drey.shuffle.client;

import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Leasing.Lease;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.Writing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A job's lease on what workers hold of it. Each renewal brings the commits since the one before: so it is known where
 * data is, what goes with a worker that is lost, and what nobody wants. Belongs to the lane's event loop.
 *
 * <p>Flink fences messages between its processes, not what a job manager tells workers. One that leads no more and does
 * not know it yet lives on for seconds; one that stood still, until it has heard of it. So workers are renewed by both,
 * and {@link Refusal} says who gives way. Until the later one has renewed a worker again, the earlier one may hold it
 * for a renewal: too short for it to find there what it does not want.
 */
public final class JobLease {
    static final long RENEW_MS = 10_000;

    /** If another job manager leads, a worker that tells of its data has heard of it by then, and refuses renewals. */
    private static final long UNWANTED_NANOS = TimeUnit.MILLISECONDS.toNanos(3 * RENEW_MS);

    /** The job, which is told in an event loop what becomes of its data. */
    public interface Owner {
        /** These partitions are gone with a worker. */
        void lost(Collection<PartitionKey> gone);

        /** A worker renews the lease no more: its data of the job goes. Told once. */
        void refused(String why);
    }

    /** A worker that has, or may get, data of the job. */
    private static final class Holder {
        private Candidate candidate;
        private final Patience patience;
        private UUID incarnation;
        private long sequence;
        private boolean isAsked;
        private boolean isInTrouble;
        private boolean isAskedSoon;
        private boolean isAskedForAll;

        /** In a row, for a successor. */
        private int refusals;

        private long askedNanos;

        /** What it told of and the job did not want then, and when. */
        private final Map<PartitionKey, Long> unwanted = new LinkedHashMap<>();

        /** Commits that it said it has; others name it before it has them. */
        private final Set<PartitionKey> told = new LinkedHashSet<>();

        /** Those that it may not have any more, as its storage is another one; null if there is no doubt. */
        private Set<PartitionKey> doubted;

        private Holder(Candidate candidate, Patience patience) {
            this.candidate = candidate;
            this.patience = patience;
        }
    }

    /**
     * The part of a commit that a job manager has to remember.
     *
     * @param workers that hold regions
     * @param bytes per subpartition; none once the job has recovered, as they are many and nobody asks
     */
    private record Committed(List<UUID> workers, long[] bytes) {
        private static final long[] NO_BYTES = {};

        private static Committed of(PartitionManifest manifest) {
            long[] bytes = new long[manifest.subpartitions()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = manifest.subpartitionBytes(i);
            }
            return new Committed(manifest.regions() == 0 ? List.of() : manifest.workers(), bytes);
        }

        private Committed withoutBytes() {
            return new Committed(workers, NO_BYTES);
        }
    }

    /** A job that recovers, and waits for what workers have. */
    private final class Recovery {
        private final Collection<PartitionKey> expected;
        private final CompletableFuture<Map<PartitionKey, Commit>> future = new CompletableFuture<>();

        /** Those that have not answered; with the others a job manager that leads no more can do nothing. */
        private final Set<Holder> open = new LinkedHashSet<>();

        /** Those of them that registries do not call lost: they may be about to start. */
        private final Set<Holder> mayStart = new HashSet<>();

        private final Set<Holder> away = new HashSet<>();

        private Recovery(Collection<PartitionKey> expected) {
            this.expected = expected;
        }

        private void answered(Holder holder) {
            open.remove(holder);
            endIfKnown();
        }

        /** Returns whether the worker is to be asked again. */
        private boolean failed(Holder holder) {
            if (!mayStart.contains(holder)) {
                open.remove(holder);
            } else if (open.contains(holder)) {
                away.add(holder);
            }
            endIfKnown();
            return recoveries.contains(this) && open.contains(holder);
        }

        private void endIfKnown() {
            boolean isKnown = away.containsAll(open) && commits.keySet().containsAll(expected);
            if (open.isEmpty() || isKnown) {
                end();
            }
        }

        private void end() {
            if (recoveries.remove(this)) {
                future.complete(known());
            }
        }
    }

    private final Lane lane;
    private final WorkerDirectory directory;
    private final String job;
    private final Owner owner;
    private final Supplier<List<Member>> members;
    private final BiConsumer<PartitionKey, List<Candidate>> release;
    private final KeptPartitions kept;
    private final long beganNanos;
    private final Map<UUID, Holder> holders = new LinkedHashMap<>();
    private final Map<PartitionKey, Committed> commits = new HashMap<>();

    /** Commits that not all of their workers have told of: one may have been away then, and the writer gone since. */
    private final Map<PartitionKey, Writing.Commit> untold = new HashMap<>();

    private final Set<Recovery> recoveries = new LinkedHashSet<>();

    /** A higher number than any job manager of the job before had: what those still ask for is refused. */
    private long session;

    private boolean isRefusalTold;
    private boolean isClosed;

    /** @param beganNanos when this job manager began to lead, by the lane's clock */
    JobLease(
            Lane lane,
            WorkerDirectory directory,
            long session,
            long beganNanos,
            String job,
            Owner owner,
            Supplier<List<Member>> members,
            BiConsumer<PartitionKey, List<Candidate>> release) {
        this.lane = lane;
        this.directory = directory;
        this.session = session;
        this.beganNanos = beganNanos;
        this.job = job;
        this.owner = owner;
        this.members = members;
        this.release = release;
        kept = new KeptPartitions(release);
    }

    private long now() {
        return lane.loop().ticker().nanoTime();
    }

    /** Keeps a partition that these workers may get, or have. */
    public void keep(PartitionKey key, List<Candidate> candidates) {
        lane.loop().execute(() -> {
            kept.keep(key, candidates);
            candidates.forEach(each -> holder(each, true));
        });
    }

    /** The job has recovered: what workers have and it does not keep by now is released, as nobody will ask for it. */
    public void keepNothingElse() {
        lane.loop().execute(() -> {
            if (!kept.isAll()) {
                kept.areAll();
                commits.replaceAll((key, commit) -> commit.withoutBytes());
            }
        });
    }

    private Holder holder(Candidate candidate, boolean renewsNow) {
        Holder known = holders.get(candidate.worker());
        if (known == null) {
            known = new Holder(candidate, lane.patience());
            holders.put(candidate.worker(), known);
            if (renewsNow && !isClosed) {
                renew(known);
            }
        }
        known.candidate = candidate;
        return known;
    }

    /** The partition was released. */
    public void forget(PartitionKey key) {
        lane.loop().execute(() -> {
            kept.forget(key);
            remove(key);
        });
    }

    /** Renews no more: after the workers' time the data goes. */
    public void close() {
        lane.loop().execute(() -> isClosed = true);
    }

    /** A worker was not told of what is released: its next answer is about all that it has. */
    void askForAll(UUID worker) {
        Holder known = holders.get(worker);
        if (known != null) {
            known.isAskedForAll = true;
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    boolean isOf(String name) {
        return job.equals(name);
    }

    long session() {
        return session;
    }

    void renew() {
        if (!isClosed) {
            new ArrayList<>(holders.values()).forEach(this::renew);
        }
    }

    private void renew(Holder holder) {
        if (holder.isAsked) {
            return;
        }
        holder.isAsked = true;
        holder.askedNanos = now();
        try {
            ask(holder);
        } catch (Throwable e) {
            // An error of memory, say: it is asked again in its turn.
            holder.isAsked = false;
            throw e;
        }
    }

    private void ask(Holder holder) {
        Connection connection = lane.connection(holder.candidate);
        boolean forAll = holder.isAskedForAll;
        long ageMs = TimeUnit.NANOSECONDS.toMillis(now() - beganNanos);
        Renew message = new Renew(job, session, forAll ? 0 : holder.sequence, 0, ageMs);
        new Request(connection, FrameType.RENEW, message, (answer, cause) -> {
            holder.isAsked = false;
            if (answer != null && answer.type() == FrameType.LEASE) {
                Lease lease = Lease.read(new FieldReader("LEASE", answer.body()));
                holder.isInTrouble = false;
                holder.refusals = 0;
                // Also when it was to be while this one was under way.
                holder.isAskedForAll &= !forAll;
                renewed(holder, lease);
                if ((lease.more() || holder.doubted != null) && !isClosed) {
                    renew(holder);
                    return;
                }
            } else if (answer != null) {
                Fault fault = answer.fault();
                if (fault.reason() == Fault.Reason.FULL && !isClosed) {
                    // It has no room to write down who leads: whoever waits for its commits waits for that.
                    askSoon(holder);
                    holder.patience.answered();
                    return;
                }
                if (isToAskAgain(holder, message.session(), fault)) {
                    renew(holder);
                    return;
                }
            } else if (isToStart(holder)) {
                askSoon(holder);
                return;
            } else if (of(holder).isEmpty() && holder.refusals == 0) {
                // It is asked in its turn only, and may be back between two of them: no limit counts.
                holder.isInTrouble = false;
            } else {
                askSoon(holder);
                away(holder);
            }
            List.copyOf(recoveries).forEach(each -> each.answered(holder));
        });
    }

    /** Whether a job that recovers waits for a worker that could not be reached. */
    private boolean isToStart(Holder holder) {
        boolean waits = false;
        for (Recovery each : List.copyOf(recoveries)) {
            waits |= each.failed(holder);
        }
        return waits && !isClosed;
    }

    /** Whether it is to be asked again at once. */
    private boolean isToAskAgain(Holder holder, long asked, Fault fault) {
        if (isClosed) {
            return false;
        }
        boolean isForGood = true;
        if (fault.reason() == Fault.Reason.FENCED) {
            Refusal refusal = Refusal.of(asked, session, holder.refusals, fault.elder(), fault.silentMs());
            // What somebody else did there meanwhile, and what was refused to this one, is heard anew.
            holder.unwanted.clear();
            holder.isAskedForAll = true;
            if (refusal != Refusal.SUCCESSOR) {
                holder.refusals = 0;
                session = refusal == Refusal.OUTDATED ? session : Refusal.above(fault.session(), session);
                return true;
            }
            isForGood = ++holder.refusals > Refusal.SILENT_RENEWALS + 1;
        }
        if (isForGood && !isRefusalTold) {
            isRefusalTold = true;
            owner.refused("worker " + holder.candidate + " does not renew the lease: " + fault);
        }
        return false;
    }

    /** Whether another job manager leads, for all that is known. */
    private boolean isFenced() {
        return holders.values().stream().anyMatch(each -> each.refusals > 0);
    }

    private void renewed(Holder holder, Lease lease) {
        if (holder.incarnation != null && !holder.incarnation.equals(lease.incarnation())) {
            // It is asked for all that it has: some may be newer than the change.
            holder.doubted = new LinkedHashSet<>(holder.told);
            holder.sequence = 0;
            holder.incarnation = lease.incarnation();
            return;
        }
        holder.incarnation = lease.incarnation();
        holder.sequence = lease.sequence();
        lease.uncommitted().forEach(each -> told(holder, each));
        for (Writing.Commit commit : lease.commits()) {
            told(holder, commit.key());
            Committed committed = Committed.of(commit.manifest());
            commits.put(commit.key(), kept.isAll() ? committed.withoutBytes() : committed);
            holder.told.add(commit.key());
            if (holder.doubted != null) {
                holder.doubted.remove(commit.key());
            }
            untold.put(commit.key(), commit);
        }
        if (holder.doubted != null && !lease.more()) {
            Set<PartitionKey> gone = holder.doubted;
            holder.doubted = null;
            lose(holder, gone);
        }
        releaseUnwanted(holder);
        if (!lease.more()) {
            tell(holder);
        }
    }

    private boolean isToldByAll(Writing.Commit commit) {
        return commit.manifest().workers().stream()
                .allMatch(each ->
                        holders.containsKey(each) && holders.get(each).told.contains(commit.key()));
    }

    /** Tells a worker what it has of commits that others told of. It looks for its regions itself. */
    private void tell(Holder holder) {
        untold.values().removeIf(this::isToldByAll);
        if (isClosed || isFenced()) {
            return;
        }
        for (Writing.Commit commit : untold.values()) {
            PartitionKey key = commit.key();
            boolean isOfHolder = commit.manifest().workers().contains(holder.candidate.worker());
            if (isOfHolder && !holder.told.contains(key) && kept.isKept(key)) {
                new CommitRound(lane, List.of(holder.candidate), commit, Map.of(), outcome -> {
                            if (outcome.denial() != null) {
                                // It never will: whoever reads it says that it is lost.
                                untold.remove(key);
                            }
                        })
                        .start();
            }
        }
    }

    private void told(Holder holder, PartitionKey key) {
        if (!kept.isKept(key)) {
            holder.unwanted.putIfAbsent(key, now());
        }
    }

    private void releaseUnwanted(Holder holder) {
        if (isClosed || !kept.isAll() || isFenced()) {
            return;
        }
        holder.unwanted.entrySet().removeIf(each -> {
            boolean isDue = holder.askedNanos - each.getValue() >= UNWANTED_NANOS;
            if (isDue && !kept.isKept(each.getKey())) {
                release.accept(each.getKey(), List.of(holder.candidate));
                remove(each.getKey());
            }
            return isDue;
        });
    }

    private void away(Holder holder) {
        if (!holder.patience.isOver()) {
            return;
        }
        directory.resolve(holder.candidate.worker(), member -> {
            // It may be back since it was asked for.
            boolean isAway = holder.isInTrouble && holder.patience.isOver();
            if (isAway && (member == null || member.health() == Health.LOST)) {
                // If it refused, nobody will hear from it any more whether another job manager leads.
                holder.refusals = 0;
                lose(holder, of(holder));
            }
        });
    }

    /** That a worker is back has to be seen, even if it is away again at the next renewal: else it is taken for lost. */
    private void askSoon(Holder holder) {
        if (!holder.isInTrouble) {
            // The limit counts from the first renewal that failed, however long ago the one before it was.
            holder.isInTrouble = true;
            holder.patience.progress();
        }
        if (holder.isAskedSoon || isClosed) {
            return;
        }
        holder.isAskedSoon = true;
        lane.loop()
                .schedule(
                        () -> {
                            holder.isAskedSoon = false;
                            if (holder.isInTrouble && !isClosed) {
                                renew(holder);
                            }
                        },
                        holder.patience.nextPauseMs(),
                        TimeUnit.MILLISECONDS);
    }

    /** Commits that go with a worker: a partition without regions names none, and is at those that told of it. */
    private List<PartitionKey> of(Holder holder) {
        List<PartitionKey> found = new ArrayList<>();
        commits.forEach((key, commit) -> {
            if (commit.workers().contains(holder.candidate.worker()) || holder.told.contains(key)) {
                found.add(key);
            }
        });
        return found;
    }

    private void remove(PartitionKey key) {
        commits.remove(key);
        untold.remove(key);
        holders.values().forEach(each -> each.told.remove(key));
    }

    /** Commits that a worker has no more go with it, but for those without regions that another one told of. */
    private void lose(Holder holder, Collection<PartitionKey> had) {
        had.forEach(holder.told::remove);
        List<PartitionKey> gone =
                had.stream().filter(each -> !isAtAnother(each)).toList();
        gone.forEach(each -> {
            kept.lost(each);
            remove(each);
        });
        if (!gone.isEmpty() && !isClosed) {
            owner.lost(gone);
        }
    }

    private boolean isAtAnother(PartitionKey key) {
        Committed commit = commits.get(key);
        return commit != null
                && commit.workers().isEmpty()
                && holders.values().stream().anyMatch(each -> each.told.contains(key));
    }

    /**
     * Commits of the job that workers know, once all workers have answered, or the time is over; later without bytes. A
     * worker that cannot be reached may be about to start: it is asked again and again, unless registries say that it is
     * lost, or others have all that is expected.
     */
    public CompletableFuture<Map<PartitionKey, Commit>> commits(Collection<PartitionKey> expected, Duration wait) {
        Recovery recovery = new Recovery(expected);
        lane.loop().execute(() -> {
            recoveries.add(recovery);
            for (Member member : members.get()) {
                Holder holder = holder(
                        new Candidate(
                                member.report().id(),
                                member.report().host(),
                                member.report().port()),
                        false);
                if (member.health() != Health.LOST) {
                    recovery.mayStart.add(holder);
                }
            }
            recovery.open.addAll(holders.values());
            List.copyOf(recovery.open).forEach(this::renew);
            recovery.endIfKnown();
            lane.loop().schedule(recovery::end, wait.toMillis(), TimeUnit.MILLISECONDS);
        });
        return recovery.future;
    }

    private Map<PartitionKey, Commit> known() {
        Map<PartitionKey, Commit> known = new HashMap<>();
        commits.forEach((key, commit) -> {
            List<Candidate> where = new ArrayList<>();
            for (UUID worker : commit.workers()) {
                Holder holder = holders.get(worker);
                if (holder != null) {
                    where.add(holder.candidate);
                }
            }
            if (commit.workers().isEmpty()) {
                holders.values().stream()
                        .filter(each -> each.told.contains(key))
                        .findFirst()
                        .ifPresent(each -> where.add(each.candidate));
            }
            if (where.size() == Math.max(1, commit.workers().size())) {
                known.put(key, new Commit(where, commit.bytes()));
            }
        });
        return known;
    }
}
