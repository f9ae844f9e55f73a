package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.client.SimulatedReader.End;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.protocol.message.Writing.Commit;
import io.drey.shuffle.worker.memory.SlabShelf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a job waits for workers, and what it believes lost: in the time of a simulation. */
final class PatienceScenarioTest extends Scenario {
    private SimulatedReader read(SimulatedPartition partition, List<String> ends) {
        SimulatedReader reader =
                new SimulatedReader(world, taskManager, partition, 0, 2, (end, why) -> ends.add(end + " " + why));
        reader.start(client.read(partition.key(), List.of(candidate(worker)), 0, 2, reader.firstCredit(), reader));
        return reader;
    }

    @Test
    void aReaderWithLittlePatienceStillHearsThatTheRegistryGaveTheWorkerUp() throws Exception {
        SimulatedPartition partition = write(1, worker);
        worker.kill();
        List<String> ends = new ArrayList<>();
        SimulatedReader reader = read(partition, ends);
        seconds(50);
        assertThat(reader.end()).isNull();
        seconds(30);
        // Lost, so that its producer runs again: not a failure of this consumer, again and again.
        assertThat(reader.end()).as("%s", ends).isEqualTo(End.LOST);
    }

    /** A reader that has no room for a block, whose connection is cut again and again; what became of it. */
    private End cutAtTimes(long millis, long seconds) throws Exception {
        SimulatedPartition partition = write(1, worker);
        SimulatedReader reader = new SimulatedReader(world, taskManager, partition, 0, 2, (end, why) -> {});
        reader.start(client.read(partition.key(), List.of(candidate(worker)), 0, 2, 0, reader));
        for (long i = 0; i < seconds * 1000 / millis; i++) {
            world.runUntil(world.now() + millis * World.MS);
            network.cutConnections(worker.machine());
        }
        return reader.end();
    }

    /** As of a process that stands still: its system takes connections for it. */
    @Test
    void aWriterSoonTakesAnotherWorkerThanOneThatTakesItsConnectionWithoutAWord() throws Exception {
        network.standStill(worker.machine());
        PartitionKey key = new PartitionKey("job", "exchange", 1, 1);
        SimulatedPartition partition = new SimulatedPartition(new SplittableRandom(5), key, 3);
        List<Candidate> candidates = List.of(candidate(worker), candidate(registry));
        lease.keep(key, candidates);
        WriteStream stream = client.write(key, candidates, 3, world::fail);
        writeFrom(0, partition, stream);
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(2);
        assertThat(committed).isCompleted();
    }

    @Test
    void aWorkerThatAnswersAndGoesAwayEachTimeIsNotWaitedForForEver() throws Exception {
        assertThat(cutAtTimes(150, 100)).isEqualTo(End.FAILED);
    }

    @Test
    void aReaderWithoutRoomIsPatientHoweverOftenItsWorkerWasAway() throws Exception {
        assertThat(cutAtTimes(12_000, 300)).isNull();
    }

    @Test
    void workersAreStillChosenWhileARegistryThatBeganAnewHasNotHeardOfThem() {
        ClientOptions patient = new ClientOptions(List.of(address(1)), null, 1, SHORT.multipliedBy(10));
        ShuffleControl other = ShuffleControl.open(patient, new SimulatedProcess(network, 12));
        seconds(5);
        assertThat(other.choose(3)).hasSize(2);
        registry.kill();
        seconds(1);
        registry.start();
        for (int i = 0; i < 100; i++) {
            world.runUntil(world.now() + 100 * World.MS);
            assertThat(other.choose(3)).as("after %d00 ms", i).hasSize(2);
        }
    }

    /** Workers give its connections up meanwhile: the first list after it fails. */
    @Test
    void workersAreStillChosenAfterAJobManagerStoodStillForLong() {
        ClientOptions patient = new ClientOptions(List.of(address(1)), null, 1, SHORT.multipliedBy(10));
        SimulatedProcess process = new SimulatedProcess(network, 12);
        ShuffleControl other = ShuffleControl.open(patient, process);
        seconds(5);
        assertThat(other.choose(3)).hasSize(2);
        process.pause(300 * World.SECOND);
        seconds(300);
        for (int i = 0; i < 100; i++) {
            world.runUntil(world.now() + 100 * World.MS);
            assertThat(other.choose(3)).as("after %d00 ms", i).hasSize(2);
        }
    }

    @Test
    void aWorkerThatNoRegistryNamesAnyMoreIsNotBelievedToBeThereForEver() {
        seconds(5);
        assertThat(control.choose(3)).contains(candidate(worker));
        registry.kill();
        worker.kill();
        registry.start();
        seconds(10);
        assertThat(control.choose(3)).containsExactly(candidate(registry));
    }

    @Test
    void theEndOfAHoldersPartBeginsTheLimitAnewThoughItHadNoBlock() throws Exception {
        SimulatedWorker other = new SimulatedWorker(setting, 3, 1);
        other.start();
        List<Candidate> candidates = List.of(candidate(worker), candidate(other));
        SimulatedPartition partition = writeAtBoth(worker, other);

        // One after the other they are away for less than the limit, together for more; nobody vouches for them.
        registry.kill();
        worker.kill();
        SimulatedReader reader = new SimulatedReader(world, taskManager, partition, 0, 0, (end, why) -> {});
        reader.start(client.read(partition.key(), candidates, 0, 0, reader.firstCredit(), reader));
        world.runUntil(world.now() + 1_500 * World.MS);
        worker.start();
        other.kill();
        world.runUntil(world.now() + 1_800 * World.MS);
        other.start();
        seconds(10);
        assertThat(reader.end()).isEqualTo(End.COMPLETE);
    }

    @Test
    void aWorkerThatIsAwayForAMomentBetweenTwoRenewalsIsNotLost() throws Exception {
        write(1, registry);
        seconds(25);
        // The limit of patience has passed since the last renewal, and no registry vouches for it.
        registry.kill();
        world.runUntil(world.now() / (10 * World.SECOND) * 10 * World.SECOND + 10 * World.SECOND + World.SECOND);
        registry.start();
        seconds(30);
        assertThat(told).isEmpty();
    }

    @Test
    void aWorkerThatIsAwayAtTwoRenewalsAndBackBetweenThemIsNotLost() throws Exception {
        write(1, registry);
        for (int renewal = 2; renewal <= 3; renewal++) {
            world.runUntil(renewal * 10 * World.SECOND - World.SECOND);
            registry.kill();
            seconds(2);
            registry.start();
        }
        seconds(30);
        assertThat(told).isEmpty();
    }

    @Test
    void aWorkerThatWasAwayBeforeItWasKnownToHaveDataIsNotLostWithItsNextAbsence() throws Exception {
        writeAtBoth(registry, worker);
        world.runUntil(9 * World.SECOND);
        // At the first renewal nobody answers; the other worker then says that this one has data, and it is back.
        registry.kill();
        network.part(worker.machine());
        seconds(2);
        registry.start();
        network.join(worker.machine());
        seconds(8);
        registry.kill();
        seconds(2);
        registry.start();
        seconds(30);
        assertThat(told).isEmpty();
    }

    @Test
    void aWorkerThatIsBackBeforeItsRegistryAnsweredIsNotLost() throws Exception {
        write(1, worker);
        seconds(15);
        network.part(registry.machine());
        worker.kill();
        seconds(10);
        worker.start();
        seconds(60);
        assertThat(told).isEmpty();
    }

    @Test
    void aWorkerIsNotLostByTheWordOfARegistryThatBeganAnew() throws Exception {
        SimulatedWorker.Setting two =
                new SimulatedWorker.Setting(world, network, new SlabShelf(), 600_000, List.of(1, 3));
        new SimulatedWorker(two, 3, 1).start();
        SimulatedWorker holder = new SimulatedWorker(two, 4, 1);
        holder.start();
        ClientOptions both = new ClientOptions(List.of(address(1), address(3)), null, 1, SHORT);
        Collection<PartitionKey> lost = new ArrayList<>();
        ShuffleControl.open(both, new SimulatedProcess(network, 12))
                .lease("job", Told.losses(lost::addAll))
                .keep(new PartitionKey("job", "exchange", 1, 1), List.of(candidate(holder)));
        SimulatedPartition partition = write(1, holder);
        seconds(15);
        registry.kill();
        holder.kill();
        registry.start();
        seconds(30);
        assertThat(lost).isEmpty();
        seconds(60);
        assertThat(lost).containsExactly(partition.key());
    }

    @Test
    void aWorkerThatIsAwayForGoodIsLost() throws Exception {
        SimulatedPartition partition = write(1, registry);
        seconds(15);
        registry.kill();
        seconds(30);
        assertThat(told).containsExactly(partition.key());
    }

    /** Partitions without a region, committed at two workers: the answer of the first one did not come. */
    private List<PartitionKey> emptyAtBoth() {
        List<PartitionKey> keys = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            PartitionKey key = new PartitionKey("job", "exchange", i, i);
            keys.add(key);
            lease.keep(key, List.of(candidate(worker), candidate(registry)));
            Commit commit = new Commit(key, new PartitionManifest(List.of(), new int[0], new long[3], 0));
            for (SimulatedWorker each : List.of(worker, registry)) {
                each.catalog().commit(commit, fault -> assertThat(fault).isNull());
            }
        }
        seconds(25);
        return keys;
    }

    @Test
    void anEmptyPartitionIsLostWithTheLastWorkerThatToldOfIt() {
        List<PartitionKey> keys = emptyAtBoth();
        worker.kill();
        seconds(90);
        assertThat(told).isEmpty();
        registry.kill();
        seconds(30);
        assertThat(told).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void anEmptyPartitionIsLostWhenAllWorkersThatToldOfItGoAtOnce() {
        List<PartitionKey> keys = emptyAtBoth();
        worker.kill();
        registry.kill();
        seconds(90);
        assertThat(told).containsExactlyInAnyOrderElementsOf(keys);
    }

    @Test
    void anEmptyPartitionIsNotLostWithTheDirectoryOfOneOfTwoWorkersThatToldOfIt() {
        emptyAtBoth();
        worker.kill();
        worker.empty();
        worker.start();
        seconds(30);
        assertThat(told).isEmpty();
    }

    @Test
    void onlyWhatLayInTheEmptiedDirectoryOfAWorkerIsLost() throws Exception {
        SimulatedPartition kept = write(1, worker);
        SimulatedPartition gone = write(2, worker);
        seconds(15);
        network.part(11);
        worker.kill();
        worker.empty();
        worker.start();
        seconds(2);
        SimulatedPartition later = write(3, worker);
        network.join(11);
        seconds(40);
        assertThat(told).doesNotContain(kept.key(), later.key()).containsExactly(gone.key());
    }

    @Test
    void aCommitThatIsUnderWayAtAWorkerThatLostADirectoryIsNotLost() throws Exception {
        write(1, worker);
        PartitionKey key = new PartitionKey("job", "exchange", 2, 2);
        lease.keep(key, List.of(candidate(registry)));
        seconds(10);
        // Another holder has it first, and says who else will.
        PartitionManifest manifest = new PartitionManifest(List.of(worker.id()), new int[1], new long[3], 0);
        Commit commit = new Commit(key, manifest);
        registry.catalog().commit(commit, fault -> assertThat(fault).isNull());
        seconds(10);
        worker.kill();
        worker.empty();
        worker.start();
        seconds(30);
        assertThat(told).doesNotContain(commit.key());
    }

    /** A partition at both, of which one was away at the commit. */
    private SimulatedPartition committedWithoutTheWorker() throws Exception {
        SimulatedPartition partition = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 1, 1));
        WriteStream stream = writeAtBoth(partition, worker, registry);
        seconds(1);
        worker.kill();
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(1);
        assertThat(committed).isCompleted();
        return partition;
    }

    /** How a reader, which begins when the worker goes, fares with a partition whose other holder has the commit. */
    private End holderAwayAtTheCommit(long seconds) throws Exception {
        SimulatedPartition partition = committedWithoutTheWorker();
        List<Candidate> candidates = List.of(candidate(worker), candidate(registry));
        SimulatedReader reader = new SimulatedReader(world, taskManager, partition, 0, 2, (end, why) -> {});
        reader.start(client.read(partition.key(), candidates, 0, 2, reader.firstCredit(), reader));
        seconds(seconds);
        worker.start();
        seconds(30);
        return reader.end();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5, 40})
    void aHolderThatWasAwayAtTheCommitIsToldOfItWhenItIsBackWhileReadersWait(long seconds) throws Exception {
        assertThat(holderAwayAtTheCommit(seconds)).isEqualTo(End.COMPLETE);
    }

    /** After these times the reader is the first of the two. */
    @ParameterizedTest
    @ValueSource(longs = {6, 20, 27})
    void aReaderThatFindsAHolderBackBeforeTheWriterDoesWaitsForTheWriter(long seconds) throws Exception {
        assertThat(holderAwayAtTheCommit(seconds)).isEqualTo(End.COMPLETE);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20})
    void aHolderThatWasAwayAtTheCommitIsToldOfItThoughTheTaskManagerIsGone(long seconds) throws Exception {
        SimulatedPartition partition = committedWithoutTheWorker();
        taskManager.kill();
        List<Candidate> candidates = List.of(candidate(worker), candidate(registry));
        SimulatedProcess other = new SimulatedProcess(network, 12);
        ClientOptions patient = new ClientOptions(options.registries(), null, 1, Duration.ofSeconds(60));
        SimulatedReader reader = new SimulatedReader(world, other, partition, 0, 2, (end, why) -> {});
        reader.start(ShuffleClient.open(patient, other)
                .read(partition.key(), candidates, 0, 2, reader.firstCredit(), reader));
        seconds(seconds);
        worker.start();
        seconds(100);
        assertThat(reader.end()).isEqualTo(End.COMPLETE);
        assertThat(told).isEmpty();
    }

    @Test
    void aWriterHasItsWholePatienceThoughItsWorkerWentWhileItWasQuiet() throws Exception {
        SimulatedPartition partition = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 1, 1));
        WriteStream stream = client.write(partition.key(), List.of(candidate(worker)), 3, world::fail);
        stream.write(partition.region(0, () -> {}));
        seconds(1);
        worker.kill();
        worker.start();
        seconds(10);
        worker.kill();
        writeFrom(1, partition, stream);
        seconds(1);
        worker.start();
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(5);
        assertThat(committed).isCompleted();
    }

    @Test
    void aWriterIsNotEndedByDialsThatBeganWhileItsWorkersWereNotReached() throws Exception {
        SimulatedWorker other = new SimulatedWorker(setting, 3, 1);
        other.start();
        network.part(10);
        client.write(new PartitionKey("job", "first", 1, 1), List.of(candidate(worker)), 3, failure -> {})
                .commit(0, new long[3]);
        world.runUntil(world.now() + 3_500 * World.MS);
        client.write(new PartitionKey("job", "second", 1, 1), List.of(candidate(other)), 3, failure -> {})
                .commit(0, new long[3]);
        world.runUntil(world.now() + 100 * World.MS);
        network.join(10);
        seconds(1);
        List<Candidate> candidates = List.of(candidate(worker), candidate(other));
        SimulatedPartition partition = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 1, 1));
        WriteStream stream = client.write(partition.key(), candidates, 3, world::fail);
        writeFrom(0, partition, stream);
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(5);
        assertThat(committed).isCompleted();
    }

    @Test
    void aWriterThatIsClosedBeforeItsWorkerAnswersKeepsNoMemoryThere() throws Exception {
        write(1, worker);
        SimulatedPartition partition = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 2, 1));
        WriteStream stream = client.write(partition.key(), List.of(candidate(worker)), 3, failure -> {});
        stream.write(partition.region(0, () -> {}));
        stream.close();
        seconds(5);
        assertThat(worker.inUse()).isEmpty();
    }

    @Test
    void writersOfAMachineThatFellSilentLeaveTheirMemoryToOthers() throws Exception {
        write(1, worker);
        for (int i = 0; i < 100; i++) {
            PartitionKey key = new PartitionKey("job", "silent", i, 1);
            client.write(key, List.of(candidate(worker)), 3, failure -> {})
                    .write(withNothingInItsFirstRegion(key).region(0, () -> {}));
        }
        while (worker.writers() == 0) {
            world.runUntil(world.now() + World.MS / 100);
        }
        network.part(10);
        // A worker without memory is there, and waited for longer than one that is not.
        ShuffleClient other = ShuffleClient.open(options, new SimulatedProcess(network, 12));
        SimulatedPartition partition = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 2, 1));
        WriteStream stream = other.write(partition.key(), List.of(candidate(worker)), 3, world::fail);
        writeFrom(0, partition, stream);
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(25);
        assertThat(committed).isNotCompleted();
        seconds(20);
        assertThat(committed).isCompleted();
    }

    @Test
    void aJobManagerDoesNotChooseWorkersForLongThatItsSilentRegistryListedOnce() {
        seconds(5);
        assertThat(control.choose(2)).hasSize(2);
        network.part(registry.machine());
        seconds(10);
        assertThat(control.choose(2)).isEmpty();
        network.join(registry.machine());
        seconds(10);
        assertThat(control.choose(2)).hasSize(2);
    }

    @Test
    void aRegistryThatBeganAnewHidesNoWorkerThatAnotherOneKnows() {
        SimulatedWorker.Setting two =
                new SimulatedWorker.Setting(world, network, new SlabShelf(), 600_000, List.of(1, 3));
        SimulatedWorker second = new SimulatedWorker(two, 3, 1);
        second.start();
        ClientOptions both = new ClientOptions(List.of(address(1), address(3)), null, 1, SHORT);
        ShuffleControl control = ShuffleControl.open(both, new SimulatedProcess(network, 12));
        seconds(10);
        assertThat(control.choose(3)).hasSize(3);
        registry.kill();
        registry.start();
        for (int i = 0; i < 50; i++) {
            world.runUntil(world.now() + 100 * World.MS);
            assertThat(control.choose(3)).as("after %d ms", 100 * i).contains(candidate(second));
        }
    }

    @Test
    void aJobManagerAsksTheSecondRegistryWhenTheFirstOneFellSilent() {
        SimulatedWorker.Setting two =
                new SimulatedWorker.Setting(world, network, new SlabShelf(), 600_000, List.of(1, 3));
        SimulatedWorker second = new SimulatedWorker(two, 3, 1);
        second.start();
        ClientOptions both = new ClientOptions(List.of(address(1), address(3)), null, 1, Duration.ofSeconds(60));
        ShuffleControl patient = ShuffleControl.open(both, new SimulatedProcess(network, 12));
        seconds(5);
        network.part(registry.machine());
        SimulatedWorker late = new SimulatedWorker(two, 4, 1);
        late.start();
        seconds(10);
        assertThat(patient.choose(4)).contains(candidate(late));
    }

    /** With the patience of a real cluster. */
    private ShuffleClient patient(int machine) {
        ClientOptions patient = new ClientOptions(options.registries(), null, 1, Duration.ofSeconds(60));
        return ShuffleClient.open(patient, new SimulatedProcess(network, machine));
    }

    /** Whether a reader and a writer go on within little more than a second after their worker has come back. */
    private void expectFoundSoon(ShuffleClient by, int number, long awayNanos) throws Exception {
        SimulatedPartition partition = write(number, worker);
        worker.kill();
        SimulatedReader reader = new SimulatedReader(world, taskManager, partition, 0, 2, (end, why) -> {});
        reader.start(by.read(partition.key(), List.of(candidate(worker)), 0, 2, reader.firstCredit(), reader));
        PartitionKey key = new PartitionKey("job", "exchange", number, number + 1);
        WriteStream stream = by.write(key, List.of(candidate(worker)), 3, world::fail);
        CompletableFuture<Void> committed = stream.commit(0, new long[3]);
        world.runUntil(world.now() + awayNanos);
        worker.start();
        world.runUntil(world.now() + 1_300 * World.MS);
        assertThat(committed).isCompleted();
        assertThat(reader.received()).isPositive();
    }

    @Test
    void aWorkerThatComesBackIsFoundWithinASecond() throws Exception {
        ShuffleClient patient = patient(12);
        for (int i = 0; i < 16; i++) {
            expectFoundSoon(patient, i, 20 * World.SECOND + i * 150 * World.MS);
        }
    }

    @Test
    void aRegistryThatDoesNotAnswerDelaysNobody() throws Exception {
        ShuffleClient patient = patient(12);
        expectFoundSoon(patient, 1, World.SECOND);
        // It is connected to the registry.
        network.part(registry.machine());
        for (int i = 2; i < 10; i++) {
            expectFoundSoon(patient, i, 20 * World.SECOND + i * 150 * World.MS);
        }
    }
}
