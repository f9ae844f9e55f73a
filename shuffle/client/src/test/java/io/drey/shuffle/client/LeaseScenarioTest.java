package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What workers keep of a job whose job manager changes, or whose data is lost in part. */
final class LeaseScenarioTest extends Scenario {
    private static final long HOUR_MS = 3_600_000;

    private final Told laterTold = Told.losses(told::addAll);

    /** The lease of a job manager that renews one worker, where it wants one partition only. */
    private JobLease leading(SimulatedProcess process, JobLease.Owner owner, SimulatedWorker at) {
        JobLease made = ShuffleControl.open(options, process).lease("job", owner);
        made.keep(new PartitionKey("job", "exchange", 9, 9), List.of(candidate(at)));
        made.keepNothingElse();
        return made;
    }

    /** The lease of a job manager that comes after. */
    private JobLease later(long clockMs) {
        JobLease made = ShuffleControl.open(options, new SimulatedProcess(network, 12, clockMs))
                .lease("job", laterTold);
        seconds(3);
        return made;
    }

    private static List<String> partitions(SimulatedWorker of) {
        List<String> all = new ArrayList<>();
        of.catalog().inspect("job", all::addAll);
        return all;
    }

    private Map<PartitionKey, Commit> commits(JobLease of, SimulatedPartition... expected) throws Exception {
        List<PartitionKey> keys =
                Stream.of(expected).map(SimulatedPartition::key).toList();
        CompletableFuture<Map<PartitionKey, Commit>> commits = of.commits(keys, Duration.ofSeconds(5));
        seconds(6);
        return commits.get();
    }

    @Test
    void whatALaterJobManagerDoesNotWantOfTheEarlierOneIsReleased() throws Exception {
        SimulatedPartition wanted = write(1, worker);
        SimulatedPartition unwanted = write(2, worker);
        SimulatedPartition begun = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 3, 3));
        lease.keep(begun.key(), List.of(candidate(worker)));
        client.write(begun.key(), List.of(candidate(worker)), 3, failure -> {}).write(begun.region(0, () -> {}));
        seconds(1);
        JobLease later = later(1);
        assertThat(commits(later, wanted, unwanted)).containsOnlyKeys(wanted.key(), unwanted.key());
        seconds(60);
        assertThat(partitions(worker)).hasSize(3);
        later.keep(wanted.key(), List.of(candidate(worker)));
        later.keepNothingElse();
        seconds(60);
        assertThat(partitions(worker)).hasSize(1);
        assertThat(worker.catalog().find(wanted.key())).isNotNull();
        // There may be thousands a partition, and they were for the recovery.
        assertThat(commits(later, wanted).get(wanted.key()).subpartitionBytes()).isEmpty();
    }

    @Test
    void anAttemptThatWasReleasedBeforeItsCommitIsReleasedAgain() throws Exception {
        lease.keepNothingElse();
        PartitionKey key = new PartitionKey("job", "exchange", 1, 1);
        List<Candidate> candidates = List.of(candidate(worker));
        lease.keep(key, candidates);
        seconds(1);
        control.release(key, candidates);
        lease.forget(key);
        seconds(1);
        client.write(key, candidates, 3, world::fail).commit(0, new long[3]);
        seconds(5);
        assertThat(partitions(worker)).hasSize(1);
        seconds(60);
        assertThat(partitions(worker)).isEmpty();
    }

    /** The job manager does not hear of it. */
    @Test
    void whatAWriterGaveUpIsDeletedAtAllWorkersThatHaveSomeOfIt() throws Exception {
        SimulatedWorker other = new SimulatedWorker(setting, 3, 1);
        other.start();
        SimulatedPartition committed = write(2, worker);
        SimulatedPartition begun = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 1, 1));
        WriteStream stream = writeAtBoth(begun, worker, other);
        seconds(5);
        assertThat(partitions(worker)).hasSize(2);
        assertThat(partitions(other)).hasSize(1);
        other.kill();
        stream.close();
        seconds(1);
        other.start();
        seconds(10);
        assertThat(partitions(worker)).hasSize(1);
        assertThat(partitions(other)).isEmpty();
        assertThat(worker.catalog().find(committed.key())).isNotNull();
    }

    @Test
    void aWriterThatGivesUpDeletesNothingThatIsCommitted() throws Exception {
        SimulatedPartition committed = write(1, worker);
        for (List<PartitionKey> keys : List.of(List.of(committed.key()), List.<PartitionKey>of())) {
            worker.catalog()
                    .release(
                            new Release("job", 0, keys, true),
                            fault -> assertThat(fault).isNull());
        }
        seconds(1);
        assertThat(worker.catalog().find(committed.key())).isNotNull();
    }

    @Test
    void aReleaseAtAWorkerThatIsAwayForLongIsGivenUp() throws Exception {
        SimulatedPartition early = write(1, worker);
        SimulatedPartition late = write(2, worker);
        worker.kill();
        // Of no job that it has a lease of: only what it was told to release goes.
        ShuffleControl other = ShuffleControl.open(options, new SimulatedProcess(network, 12));
        other.release(early.key(), List.of(candidate(worker)));
        seconds(595);
        worker.start();
        seconds(30);
        assertThat(worker.catalog().find(early.key())).isNull();
        worker.kill();
        other.release(late.key(), List.of(candidate(worker)));
        seconds(615);
        worker.start();
        seconds(30);
        assertThat(worker.catalog().find(late.key())).isNotNull();
    }

    @Test
    void whatAWorkerWasNotToldToReleaseWhileItWasAwayIsReleasedWhenItIsBack() throws Exception {
        SimulatedWorker.Setting keepingLonger =
                new SimulatedWorker.Setting(world, network, setting.slabs(), HOUR_MS, List.of(1));
        SimulatedWorker away = new SimulatedWorker(keepingLonger, 3, 1);
        away.start();
        lease.keepNothingElse();
        SimulatedPartition partition = write(1, away);
        seconds(30);
        network.part(3);
        control.release(partition.key(), List.of(candidate(away)));
        lease.forget(partition.key());
        seconds(900);
        network.join(3);
        seconds(5);
        assertThat(partitions(away)).hasSize(1);
        seconds(90);
        assertThat(partitions(away)).isEmpty();
    }

    @Test
    void whatIsLostWithOneWorkerIsReleasedWhereverItIsWhenItsProducerRunsAgain() throws Exception {
        SimulatedWorker other = new SimulatedWorker(setting, 3, 1);
        other.start();
        SimulatedPartition partition = writeAtBoth(worker, other);
        lease.keepNothingElse();
        worker.kill();
        seconds(90);
        assertThat(told).containsExactly(partition.key());
        // A consumer may be reading that part.
        assertThat(partitions(other)).hasSize(1);
        lease.keep(new PartitionKey("job", "exchange", 1, 2), List.of(candidate(other)));
        seconds(5);
        assertThat(partitions(other)).isEmpty();
        worker.start();
        seconds(60);
        assertThat(partitions(worker)).isEmpty();
        assertThat(worker.disks()).allSatisfy(disk -> assertThat(disk.data()).isEmpty());
    }

    @Test
    void aJobManagerWhoseClockIsBehindLeadsAllTheSame() throws Exception {
        world.runUntil(world.now() + 2 * HOUR_MS * World.MS);
        SimulatedPartition partition = write(1, worker);
        JobLease later = later(-3 * HOUR_MS);
        assertThat(commits(later, partition)).containsOnlyKeys(partition.key());
        later.keepNothingElse();
        seconds(60);
        assertThat(partitions(worker)).isEmpty();
        assertThat(laterTold.refusals).isEmpty();
    }

    @Test
    void aJobManagerWhoseClockIsBehindMayWaitForSlotsBeforeItsFirstExchange() throws Exception {
        world.runUntil(world.now() + 2 * HOUR_MS * World.MS);
        write(1, worker);
        JobLease later = later(-3 * HOUR_MS);
        seconds(90);
        later.keep(new PartitionKey("job", "exchange", 1, 7), List.of(candidate(worker)));
        later.keepNothingElse();
        seconds(60);
        assertThat(partitions(worker)).isEmpty();
        assertThat(laterTold.refusals).isEmpty();
    }

    /** All that it could have asked in its first minute knew nothing of the one before. */
    @Test
    void aJobManagerWhoseClockIsBehindLeadsAWorkerTooThatComesBackLater() throws Exception {
        world.runUntil(world.now() + 2 * HOUR_MS * World.MS);
        SimulatedPartition partition = write(1, worker);
        lease.close();
        worker.kill();
        JobLease later = later(-3 * HOUR_MS);
        later.keep(partition.key(), List.of(candidate(worker)));
        later.keepNothingElse();
        seconds(90);
        worker.start();
        seconds(900);
        assertThat(worker.catalog().find(partition.key())).isNotNull();
        assertThat(laterTold.refusals).isEmpty();
    }

    @Test
    void aWorkerThatTheJobManagerBeforeStillRenewsIsLedAtOnce() throws Exception {
        Told earlier = Told.losses(told::addAll);
        JobLease before = ShuffleControl.open(options, new SimulatedProcess(network, 13, HOUR_MS))
                .lease("job", earlier);
        SimulatedPartition partition = write(1, worker);
        before.keep(partition.key(), List.of(candidate(worker)));
        lease.close();
        JobLease later = later(1);
        later.keep(new PartitionKey("job", "exchange", 9, 9), List.of(candidate(registry)));
        seconds(90);
        assertThat(later.session()).isLessThan(before.session());
        later.keep(partition.key(), List.of(candidate(worker)));
        later.keepNothingElse();
        seconds(1);
        assertLeads(later, worker);
        seconds(900);
        assertLeads(later, worker);
        assertThat(worker.catalog().find(partition.key())).isNotNull();
        assertThat(laterTold.refusals).isEmpty();
        assertThat(earlier.refusals).singleElement().asString().contains("another job manager leads");
    }

    /** Somebody who began to lead just now has renewed a session at a worker. */
    private void renewed(SimulatedWorker at, long session) {
        Renew renew = new Renew("job", session, 0, 0, 0);
        at.catalog().renew(renew, answer -> {}, fault -> world.fail(new AssertionError(fault)));
    }

    /** The only one whose word a worker takes. */
    private void assertLeads(JobLease leader, SimulatedWorker at) {
        List<Fault> faults = new ArrayList<>();
        Release nothing = new Release("job", leader.session(), List.of(new PartitionKey("job", "none", 0, 0)));
        at.catalog().release(nothing, faults::add);
        assertThat(faults).containsExactly((Fault) null);
    }

    /** None of them knows it: one leads no more, and has not heard of it. */
    @Test
    void ofTwoJobManagersInTheirFirstMinuteTheLaterOneLeads() throws Exception {
        lease.close();
        JobLease old = leading(new SimulatedProcess(network, 13), Told.losses(told::addAll), registry);
        seconds(5);
        JobLease later = later(1);
        PartitionKey key = written(later);
        seconds(10);
        // A worker that it had nothing to do with.
        old.keep(new PartitionKey("job", "exchange", 9, 10), List.of(candidate(worker)));
        seconds(30);
        old.close();
        seconds(900);
        assertLeads(later, worker);
        assertThat(worker.catalog().find(key)).isNotNull();
        assertThat(laterTold.refusals).isEmpty();
    }

    @Test
    void aJobManagerWhoseClockIsAheadTakesNoWorkerFromItsSuccessorForLong() throws Exception {
        lease.close();
        JobLease old = leading(new SimulatedProcess(network, 13, HOUR_MS), Told.losses(told::addAll), registry);
        seconds(90);
        JobLease later = later(1);
        PartitionKey key = written(later);
        seconds(90);
        old.keep(new PartitionKey("job", "exchange", 9, 10), List.of(candidate(worker)));
        seconds(12);
        assertLeads(later, worker);
        seconds(900);
        assertLeads(later, worker);
        assertThat(worker.catalog().find(key)).isNotNull();
        assertThat(laterTold.refusals).isEmpty();
    }

    /** Each at another worker, above a session that both know: with one number both would be obeyed. */
    @Test
    void twoJobManagersThatRiseAboveTheSameOneAreNotTakenForOne() throws Exception {
        lease.close();
        for (SimulatedWorker each : List.of(registry, worker)) {
            renewed(each, HOUR_MS);
        }
        seconds(1);
        JobLease old = leading(new SimulatedProcess(network, 13), Told.losses(told::addAll), registry);
        seconds(5);
        JobLease later = later(1);
        PartitionKey key = written(later);
        seconds(1);
        old.keep(new PartitionKey("job", "exchange", 9, 10), List.of(candidate(worker)));
        seconds(900);
        assertThat(worker.catalog().find(key)).isNotNull();
        assertLeads(later, worker);
        assertThat(laterTold.refusals).isEmpty();
    }

    /** What it found before it gave way is not due when nobody else reaches the worker any more. */
    @Test
    void whoLeadsAWorkerAgainLooksAnewForWhatItDoesNotWant() throws Exception {
        lease.close();
        JobLease old = leading(new SimulatedProcess(network, 13), Told.losses(told::addAll), worker);
        seconds(60);
        network.part(12);
        JobLease later = later(1);
        PartitionKey key = written(later);
        seconds(12);
        network.join(12);
        seconds(60);
        assertLeads(later, worker);
        network.part(12);
        seconds(85);
        assertLeads(old, worker);
        assertThat(worker.catalog().find(key)).isNotNull();
        network.join(12);
        seconds(15);
        assertLeads(later, worker);
    }

    /** An empty partition at the worker, of a lease that has nothing else. */
    private PartitionKey written(JobLease only) throws Exception {
        PartitionKey key = new PartitionKey("job", "exchange", 1, 1);
        only.keep(key, List.of(candidate(worker)));
        only.keepNothingElse();
        client.write(key, List.of(candidate(worker)), 3, world::fail).commit(0, new long[3]);
        return key;
    }

    /** Its successor asked no worker that it had: so nobody else could tell it. */
    @Test
    void aJobManagerThatStoodStillTakesNoWorkerFromItsSuccessor() throws Exception {
        Told earlier = Told.losses(told::addAll);
        SimulatedProcess process = new SimulatedProcess(network, 13);
        JobLease old = leading(process, earlier, registry);
        seconds(90);
        process.pause(120 * World.SECOND);
        SimulatedProcess successor = new SimulatedProcess(network, 12);
        JobLease later = ShuffleControl.open(options, successor).lease("job", laterTold);
        PartitionKey key = written(later);
        seconds(100);
        // It goes on with what it was about to do.
        old.keep(new PartitionKey("job", "exchange", 9, 10), List.of(candidate(worker)));
        seconds(60);
        successor.pause(45 * World.SECOND);
        seconds(120);
        worker.kill();
        seconds(1);
        worker.start();
        successor.pause(45 * World.SECOND);
        seconds(600);
        assertThat(worker.catalog().find(key)).isNotNull();
        assertThat(laterTold.refusals).isEmpty();
        assertThat(earlier.refusals).singleElement().asString().contains("another job manager leads");
    }

    @Test
    void aJobManagerThatStoodStillInItsFirstMinuteTakesNoWorkerFromItsSuccessor() throws Exception {
        SimulatedProcess process = new SimulatedProcess(network, 13);
        JobLease old = leading(process, Told.losses(told::addAll), registry);
        seconds(5);
        process.pause(40 * World.SECOND);
        seconds(20);
        JobLease later = later(1);
        PartitionKey key = written(later);
        seconds(10);
        old.keep(new PartitionKey("job", "exchange", 9, 10), List.of(candidate(worker)));
        seconds(600);
        assertThat(worker.catalog().find(key)).isNotNull();
        assertThat(laterTold.refusals).isEmpty();
    }

    /** What it asked in a moment is refused in turn: the second by a number that it has left behind since. */
    @Test
    void aJobManagerWhoseClockIsBehindLeadsWorkersThatKnowDifferentOnesOfBefore() throws Exception {
        world.runUntil(world.now() + 2 * HOUR_MS * World.MS);
        SimulatedPartition one = write(1, registry);
        SimulatedPartition two = write(2, worker);
        lease.close();
        for (SimulatedWorker each : List.of(registry, worker)) {
            long session = each == registry ? 9 : 5;
            renewed(each, session);
        }
        seconds(1);
        assertThat(commits(later(-3 * HOUR_MS), one, two)).containsOnlyKeys(one.key(), two.key());
        assertThat(laterTold.refusals).isEmpty();
    }

    @Test
    void aJobManagerThatLeadsNoMoreIsToldSoAndReleasesNothing() throws Exception {
        Told earlier = Told.losses(told::addAll);
        ShuffleControl old = ShuffleControl.open(options, new SimulatedProcess(network, 13));
        JobLease oldLease = old.lease("job", earlier);
        oldLease.keep(new PartitionKey("job", "exchange", 9, 9), List.of(candidate(worker)));
        oldLease.keepNothingElse();
        seconds(90);
        assertThat(earlier.refusals).isEmpty();

        // The later one does not reach the worker for a while; its producers do.
        network.part(12);
        JobLease later = later(1);
        PartitionKey key = new PartitionKey("job", "exchange", 1, 1);
        later.keep(key, List.of(candidate(worker)));
        client.write(key, List.of(candidate(worker)), 3, world::fail).commit(0, new long[3]);
        seconds(12);
        network.join(12);
        seconds(120);
        assertThat(worker.catalog().find(key)).isNotNull();
        assertThat(earlier.refusals).singleElement().asString().contains("another job manager leads");
        assertThat(later.isClosed()).isFalse();
        assertThat(laterTold.refusals).isEmpty();
    }

    /** Nobody will ever hear from it whether another job manager leads. */
    @Test
    void aWorkerThatRefusedAndIsGoneForGoodKeepsNothingFromBeingReleasedAtOthers() throws Exception {
        write(1, registry);
        PartitionKey unwanted = new PartitionKey("job", "exchange", 2, 2);
        client.write(unwanted, List.of(candidate(registry)), 3, world::fail).commit(0, new long[3]);
        lease.keep(new PartitionKey("job", "exchange", 9, 9), List.of(candidate(worker)));
        lease.keepNothingElse();
        seconds(1);
        renewed(worker, HOUR_MS);
        seconds(12);
        assertThat(partitions(registry)).hasSize(2);
        worker.kill();
        seconds(180);
        assertThat(registry.catalog().find(unwanted)).isNull();
        assertThat(partitions(registry)).hasSize(1);
    }

    @Test
    void aJobThatComesBackWhileItIsDeletedLeavesNothingWhenItEnds() throws Exception {
        write(1, worker);
        lease.close();
        seconds(20);
        Release whole = new Release("job", World.SECOND, List.of());
        worker.catalog().release(whole, fault -> assertThat(fault).isNull());
        renewed(worker, World.SECOND);
        seconds(5);
        worker.catalog().release(whole, fault -> assertThat(fault).isNull());
        seconds(5);
        assertThat(worker.disks())
                .allSatisfy(disk -> assertThat(disk.leftovers()).isEmpty());
    }

    @Test
    void aNewJobManagerWaitsForAWorkerThatHasNoRoomToWriteThatItLeads() throws Exception {
        SimulatedPartition partition = write(1, worker);
        worker.disks().forEach(disk -> disk.full(true));
        JobLease later = later(1);
        CompletableFuture<Map<PartitionKey, Commit>> commits =
                later.commits(List.of(partition.key()), Duration.ofSeconds(30));
        seconds(20);
        assertThat(commits).isNotDone();
        worker.disks().forEach(disk -> disk.full(false));
        seconds(2);
        assertThat(commits.get()).containsOnlyKeys(partition.key());
        assertThat(laterTold.refusals).isEmpty();
        assertThat(worker.catalog().find(partition.key())).isNotNull();
    }

    @Test
    void aNewJobManagerAsksAWorkerAgainThatRestartsJustThen() throws Exception {
        SimulatedPartition partition = write(1, worker);
        JobLease later = later(1);
        worker.kill();
        List<PartitionKey> wanted = List.of(partition.key());
        CompletableFuture<Map<PartitionKey, Commit>> commits = later.commits(wanted, Duration.ofSeconds(5));
        seconds(2);
        assertThat(commits).isNotDone();
        worker.start();
        seconds(2);
        assertThat(commits).isCompletedWithValueMatching(found -> found.containsKey(partition.key()));
        worker.kill();
        PartitionKey unknown = new PartitionKey("job", "exchange", 9, 9);
        CompletableFuture<Map<PartitionKey, Commit>> inVain = later.commits(List.of(unknown), Duration.ofSeconds(5));
        seconds(4);
        assertThat(inVain).isNotDone();
        seconds(2);
        assertThat(inVain).isCompleted();
    }

    @Test
    void aNewJobManagerDoesNotWaitForAWorkerIfOthersHaveWhatItWants() throws Exception {
        SimulatedPartition partition = write(1, registry);
        JobLease later = later(1);
        worker.kill();
        CompletableFuture<Map<PartitionKey, Commit>> commits =
                later.commits(List.of(partition.key()), Duration.ofSeconds(30));
        seconds(1);
        assertThat(commits).isCompletedWithValueMatching(found -> found.containsKey(partition.key()));
    }

    @Test
    void aNewJobManagerDoesNotWaitForAWorkerThatIsLost() throws Exception {
        SimulatedPartition partition = write(1, registry);
        worker.kill();
        seconds(90);
        List<PartitionKey> wanted = List.of(partition.key(), new PartitionKey("job", "exchange", 9, 9));
        CompletableFuture<Map<PartitionKey, Commit>> commits = later(1).commits(wanted, Duration.ofSeconds(30));
        seconds(2);
        assertThat(commits).isCompletedWithValueMatching(found -> found.containsKey(partition.key()));
    }

    @Test
    void thatItLeadsIsWrittenIfThereIsRoomInOneDirectory() throws Exception {
        SimulatedPartition one = write(1, worker);
        SimulatedPartition two = write(2, worker);
        assertThat(worker.disks()).allSatisfy(disk -> assertThat(disk.data()).isNotEmpty());
        worker.disks().get(0).full(true);
        assertThat(commits(later(1), one, two)).containsOnlyKeys(one.key(), two.key());
        worker.kill();
        worker.start();
        List<Fault> faults = new ArrayList<>();
        worker.catalog().release(new Release("job", 0, List.of()), faults::add);
        assertThat(faults)
                .singleElement()
                .satisfies(fault -> assertThat(fault.reason()).isEqualTo(Fault.Reason.FENCED));
    }

    /** The limit for lost workers counts from the last answer, whatever it was. */
    @Test
    void aWorkerThatHadNoRoomForLongIsNotLostWithTheFirstRenewalThatFails() throws Exception {
        SimulatedWorker other = new SimulatedWorker(setting, 3, 1);
        other.start();
        SimulatedPartition partition = writeAtBoth(worker, other);
        worker.disks().forEach(disk -> disk.full(true));
        later(1).keep(partition.key(), List.of(candidate(worker), candidate(other)));
        seconds(20);
        worker.kill();
        registry.kill();
        seconds(1);
        worker.disks().forEach(disk -> disk.full(false));
        registry.start();
        worker.start();
        seconds(30);
        assertThat(told).isEmpty();
    }
}
