package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.client.SimulatedReader.End;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A worker whose disks fail for a while. */
final class DiskScenarioTest extends Scenario {
    private boolean isChosen() {
        return control.choose(2).contains(candidate(worker));
    }

    private SimulatedReader read(SimulatedPartition partition, SimulatedWorker at) {
        SimulatedReader reader = new SimulatedReader(world, taskManager, partition, 0, 2, (end, why) -> {});
        reader.start(client.read(partition.key(), List.of(candidate(at)), 0, 2, reader.firstCredit(), reader));
        return reader;
    }

    private void hang(boolean now) {
        worker.disks().forEach(each -> each.hanging(now));
    }

    @Test
    void aReaderDoesNotWaitForADirectoryThatHangs() throws Exception {
        SimulatedPartition partition = write(1, worker);
        worker.disks().get(0).hanging(true);
        SimulatedReader early = read(partition, worker);
        seconds(55);
        assertThat(early.end()).isNull();
        seconds(30);
        assertThat(early.end()).isEqualTo(End.LOST);
        List<String> audit = new ArrayList<>();
        worker.catalog().audit(audit::addAll);
        seconds(1);
        assertThat(audit).singleElement().asString().contains("cannot be read", "has not ended for 60 s");
        SimulatedReader late = read(partition, worker);
        seconds(1);
        assertThat(late.end()).isEqualTo(End.LOST);
        hang(false);
        seconds(20);
        SimulatedReader last = read(partition, worker);
        seconds(20);
        assertThat(last.end()).isEqualTo(End.COMPLETE);
        assertThat(worker.inUse()).isEmpty();
    }

    /** All of them would be more than a frame takes, and the answer none. */
    @Test
    void anAuditOfDirectoriesThatAreFullOfStrangeFilesIsCutOff() throws Exception {
        assertThat(worker.disks()).hasSizeGreaterThan(1);
        for (SimulatedDisk each : worker.disks()) {
            for (int i = 0; i < 6_000; i++) {
                each.create(each.root().resolve("strange").resolve("file" + i));
            }
        }
        List<String> audit = new ArrayList<>();
        worker.catalog().audit(audit::addAll);
        seconds(1);
        assertThat(audit).hasSize(10_001).endsWith("and more");
    }

    @Test
    void aWriterLeavesADirectoryThatHangs() throws Exception {
        PartitionKey key = new PartitionKey("job", "exchange", 1, 1);
        SimulatedPartition partition = withNothingInItsFirstRegion(key);
        List<Candidate> both = List.of(candidate(worker), candidate(registry));
        WriteStream stream = client.write(key, both, 3, world::fail);
        hang(true);
        writeFrom(0, partition, stream);
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(55);
        assertThat(committed).isNotDone();
        seconds(30);
        assertThat(committed).isCompleted();
        hang(false);
        seconds(20);
        assertThat(worker.inUse()).isEmpty();
    }

    @Test
    void aCommitDoesNotWaitForADirectoryThatHangs() throws Exception {
        PartitionKey key = new PartitionKey("job", "exchange", 1, 1);
        SimulatedPartition partition = withNothingInItsFirstRegion(key);
        List<Throwable> failures = new ArrayList<>();
        WriteStream stream = client.write(key, List.of(candidate(worker)), 3, failures::add);
        writeFrom(0, partition, stream);
        seconds(1);
        hang(true);
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(100);
        assertThat(committed).isCompletedExceptionally();
        assertThat(failures).singleElement().asString().contains("no worker took data");
    }

    @Test
    void whoLeadsTheJobIsWrittenWhereNothingHangs() throws Exception {
        List<SimulatedPartition> partitions = List.of(write(1, worker), write(2, worker));
        worker.disks().get(0).hanging(true);
        List<SimulatedReader> readers =
                partitions.stream().map(each -> read(each, worker)).toList();
        seconds(100);
        assertThat(readers).extracting(SimulatedReader::end).containsOnlyOnce(End.LOST, End.COMPLETE);
        ShuffleControl next = ShuffleControl.open(options, new SimulatedProcess(network, 12));
        JobLease newLease = next.lease("job", Told.losses(keys -> {}));
        seconds(5);
        CompletableFuture<Map<PartitionKey, Commit>> commits = newLease.commits(
                partitions.stream().map(SimulatedPartition::key).toList(), Duration.ofSeconds(10));
        seconds(5);
        assertThat(commits).isCompletedWithValueMatching(found -> found.size() == 2);
    }

    @Test
    void aDirectoryThatHungIsNotUsedForMinutes() throws Exception {
        seconds(10);
        SimulatedPartition partition = write(1, registry);
        SimulatedDisk disk = registry.disks().get(0);
        disk.hanging(true);
        read(partition, registry);
        seconds(50);
        assertThat(control.choose(2)).contains(candidate(registry));
        seconds(50);
        assertThat(control.choose(2)).doesNotContain(candidate(registry));
        disk.hanging(false);
        seconds(250);
        assertThat(control.choose(2)).doesNotContain(candidate(registry));
        seconds(250);
        assertThat(control.choose(2)).contains(candidate(registry));
    }

    private void fail(boolean now) {
        worker.disks().forEach(each -> each.failing(now));
    }

    @Test
    void aDirectoryThatFailedIsUsedAgainMinutesAfterItWorks() throws Exception {
        seconds(10);
        assertThat(isChosen()).isTrue();
        fail(true);
        seconds(1_000);
        assertThat(isChosen()).isFalse();
        fail(false);
        seconds(500);
        assertThat(isChosen()).isTrue();
        write(1, worker);
        assertThat(worker.disks())
                .allSatisfy(
                        each -> assertThat(each.list(each.root())).noneMatch(file -> file.endsWith("worker.probe")));
    }

    /** It may have been one bad moment of many to come: others take what is new meanwhile. */
    @Test
    void aDirectoryThatFailedIsLeftAloneForMinutes() {
        seconds(10);
        fail(true);
        seconds(10);
        fail(false);
        seconds(250);
        assertThat(isChosen()).isFalse();
        seconds(250);
        assertThat(isChosen()).isTrue();
    }
}
