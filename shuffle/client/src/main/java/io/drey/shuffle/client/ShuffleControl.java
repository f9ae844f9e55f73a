package io.drey.shuffle.client;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The door of a job manager: chooses workers, keeps leases of jobs, and releases what nobody needs. Choosing is by the
 * last list and never waits; all else is done in an event loop.
 */
public final class ShuffleControl implements AutoCloseable {
    private static final long LIST_MS = 2_000;
    private static final int RELEASES_MAX = 1 << 16;
    private static final int RELEASES_A_MESSAGE = 1 << 12;

    /** A worker that does not answer for longer has given up what it had, unless it is told to keep jobs for longer. */
    private static final Duration RELEASES_KEPT = Duration.ofMinutes(10);

    private final ClientOptions options;
    private final Lane lane;
    private final WorkerDirectory directory;
    private final Placement placement;
    private final CountDownLatch firstList = new CountDownLatch(1);

    /** The first session of each lease. */
    private final long session;

    private final long beganNanos;

    /** To be released at a worker; what does not fit ends with the job's lease. */
    private final Map<Candidate, Releases> releases = new HashMap<>();

    private final Set<JobLease> leases = new LinkedHashSet<>();
    private List<Member> members = List.of();
    private String lastTrouble = "no registry has answered yet";

    /** For workers that registries do not name any more, or do not answer for. */
    private final Patience absence;

    /** Whether the last list lacked some. */
    private boolean isAbsent;

    private boolean isReleaseDue;
    private boolean isListing;

    /** @param patience since the worker answered, or was to be told of the first of them */
    private record Releases(Set<PartitionKey> keys, Patience patience) {}

    private ShuffleControl(ClientOptions options, Ground ground) {
        this.options = options;
        lane = new Lane("control", options, ground);
        placement = new Placement(ground.random());
        session = ground.wallClockMs();
        beganNanos = lane.loop().ticker().nanoTime();
        directory = new WorkerDirectory(lane);
        absence = lane.patience();
    }

    public static ShuffleControl open(ClientOptions options) {
        return open(options, Ground.SYSTEM);
    }

    static ShuffleControl open(ClientOptions options, Ground ground) {
        ShuffleControl control = new ShuffleControl(options, ground);
        control.every(LIST_MS, 0, control::list);
        control.every(JobLease.RENEW_MS, JobLease.RENEW_MS, control::tick);
        return control;
    }

    private void every(long ms, long firstMs, Runnable task) {
        Runnable guarded = () -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                // Its loop would not run it again: no lease would be renewed.
                isListing = false;
                synchronized (placement) {
                    lastTrouble = "an error of this process: " + e;
                }
            }
        };
        // Not at a rate: after a pause of the process all missed ones would come at once, and refusals are counted.
        lane.loop().scheduleWithFixedDelay(guarded, firstMs, ms, TimeUnit.MILLISECONDS);
    }

    private void list() {
        if (isListing) {
            return;
        }
        isListing = true;
        if (!isAbsent) {
            // The limit counts from the first list that lacks some, however long ago the one before it was: the process
            // may have stood still, and its connections have been closed meanwhile.
            absence.progress();
        }
        directory.list(List.of(), answer -> {
            isListing = false;
            if (answer instanceof WorkerDirectory.Listed listed) {
                members = believed(listed.members());
                // One that is at another address now is renewed there.
                members.forEach(lane::moved);
                synchronized (placement) {
                    placement.listed(members);
                    lastTrouble = members.size() + " workers are known, none takes new data";
                }
            } else if (answer instanceof WorkerDirectory.Silent silent) {
                synchronized (placement) {
                    if (believed(List.of()).isEmpty()) {
                        placement.listed(List.of());
                    }
                    lastTrouble = "no registry answers: " + silent.lastCause();
                }
            }
            firstList.countDown();
        });
    }

    /**
     * Those that are named, and for a while also the others that were. A registry forgets none that may come back: it
     * restarts, and then hears of them one after the other.
     */
    private List<Member> believed(List<Member> named) {
        Set<UUID> ids = named.stream().map(each -> each.report().id()).collect(Collectors.toSet());
        List<Member> absent = members.stream()
                .filter(each -> !ids.contains(each.report().id()))
                .toList();
        isAbsent = !absent.isEmpty();
        return absence.isOver()
                ? named
                : Stream.concat(named.stream(), absent.stream()).toList();
    }

    /** Waits until registries have answered once, or failed to, at most so long. Whether they did. */
    public boolean awaitFirstList(Duration wait) throws InterruptedException {
        return firstList.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** At most so many workers that take new data, the best first; none if none is known. */
    public List<Candidate> choose(int count) {
        synchronized (placement) {
            return placement.choose(count);
        }
    }

    /** Why there may be no worker to choose. */
    public String describe() {
        synchronized (placement) {
            return options.registries() + (placement.open() > 0 ? "" : ": " + lastTrouble);
        }
    }

    /**
     * Keeps what workers hold of a job, until the lease is closed and the workers' time is over.
     *
     * @param owner told what becomes of its data
     */
    public JobLease lease(String job, JobLease.Owner owner) {
        JobLease lease = new JobLease(lane, directory, session, beganNanos, job, owner, () -> members, this::release);
        lane.loop().execute(() -> leases.add(lease));
        return lease;
    }

    private void tick() {
        leases.removeIf(JobLease::isClosed);
        leases.forEach(JobLease::renew);
        releaseAll();
    }

    /** Deletes a partition wherever it may be; returns at once. A worker that is soon back is told then. */
    public void release(PartitionKey key, List<Candidate> candidates) {
        lane.loop().execute(() -> {
            for (Candidate candidate : candidates) {
                Set<PartitionKey> keys =
                        releases.computeIfAbsent(candidate, any -> noReleases()).keys();
                if (keys.size() < RELEASES_MAX) {
                    keys.add(key);
                }
            }
            if (!isReleaseDue) {
                // Those of one stage come together.
                isReleaseDue = true;
                lane.loop().execute(() -> {
                    isReleaseDue = false;
                    releaseAll();
                });
            }
        });
    }

    private Releases noReleases() {
        return new Releases(new LinkedHashSet<>(), new Patience(lane.loop().ticker(), RELEASES_KEPT));
    }

    private boolean isGivenUp(Map.Entry<Candidate, Releases> each) {
        boolean isOver = each.getValue().patience().isOver();
        if (isOver) {
            // It may be back, and have it all: then it is asked for that, and what nobody wants is released.
            leases.forEach(lease -> lease.askForAll(each.getKey().worker()));
        }
        return isOver;
    }

    private void releaseAll() {
        releases.entrySet().removeIf(this::isGivenUp);
        for (Map.Entry<Candidate, Releases> each : new ArrayList<>(releases.entrySet())) {
            Map<String, List<PartitionKey>> byJob = new HashMap<>();
            for (PartitionKey key : each.getValue().keys()) {
                byJob.computeIfAbsent(key.job(), any -> new ArrayList<>()).add(key);
            }
            byJob.forEach((job, keys) -> {
                for (int i = 0; i < keys.size(); i += RELEASES_A_MESSAGE) {
                    release(each.getKey(), job, keys.subList(i, Math.min(keys.size(), i + RELEASES_A_MESSAGE)));
                }
            });
        }
    }

    private void release(Candidate worker, String job, List<PartitionKey> keys) {
        Release message = new Release(job, sessionOf(job), List.copyOf(keys));
        new Request(lane.connection(worker), FrameType.RELEASE, message, (answer, cause) -> {
            // A refusal is final: by a newer session, which decides itself.
            if (answer != null) {
                Releases left = releases.get(worker);
                if (left != null) {
                    left.patience().progress();
                    left.keys().removeAll(Set.copyOf(keys));
                    if (left.keys().isEmpty()) {
                        releases.remove(worker);
                    }
                }
            }
        });
    }

    private long sessionOf(String job) {
        return leases.stream()
                .filter(each -> each.isOf(job))
                .mapToLong(JobLease::session)
                .reduce(session, Math::max);
    }

    @Override
    public void close() {
        lane.close();
    }
}
