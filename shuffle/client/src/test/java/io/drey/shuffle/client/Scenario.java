package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.memory.SlabShelf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A job, a registry that is a worker, and another worker, in the time of a simulation. */
abstract class Scenario {
    static final Duration SHORT = Duration.ofSeconds(2);

    final World world = new World(1);
    final SimulatedNetwork network = new SimulatedNetwork(world);
    final SimulatedWorker.Setting setting =
            new SimulatedWorker.Setting(world, network, new SlabShelf(), 600_000, List.of(1));
    final SimulatedWorker registry = new SimulatedWorker(setting, 1, 1);
    final SimulatedWorker worker = new SimulatedWorker(setting, 2, 2);
    final ClientOptions options = new ClientOptions(List.of(address(1)), null, 1, SHORT);
    final SimulatedProcess taskManager = new SimulatedProcess(network, 10);
    final ShuffleClient client = ShuffleClient.open(options, taskManager);
    final ShuffleControl control = ShuffleControl.open(options, new SimulatedProcess(network, 11));
    final Collection<PartitionKey> told = new ArrayList<>();
    final JobLease lease = control.lease("job", Told.losses(told::addAll));

    Scenario() {
        registry.start();
        worker.start();
    }

    void seconds(long seconds) {
        world.runUntil(world.now() + seconds * World.SECOND);
    }

    static InetSocketAddress address(int machine) {
        return InetSocketAddress.createUnresolved(SimulatedNetwork.host(machine), SimulatedNetwork.PORT);
    }

    static Candidate candidate(SimulatedWorker of) {
        return new Candidate(of.id(), SimulatedNetwork.host(of.machine()), SimulatedNetwork.PORT);
    }

    /** A partition of a worker, committed. */
    SimulatedPartition write(int number, SimulatedWorker at) throws Exception {
        PartitionKey key = new PartitionKey("job", "exchange", number, number);
        lease.keep(key, List.of(candidate(at)));
        SimulatedPartition partition = new SimulatedPartition(new SplittableRandom(5), key, 3);
        assertThat(partition.regions()).isPositive();
        WriteStream stream = client.write(key, List.of(candidate(at)), 3, world::fail);
        writeFrom(0, partition, stream);
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(1);
        assertThat(committed).isCompleted();
        return partition;
    }

    static void writeFrom(int region, SimulatedPartition of, WriteStream stream) throws IOException {
        for (int i = region; i < of.regions(); i++) {
            stream.write(of.region(i, () -> {}));
        }
    }

    /** A partition of several regions, the first of which has nothing for the first subpartition. */
    static SimulatedPartition withNothingInItsFirstRegion(PartitionKey key) {
        for (int seed = 0; ; seed++) {
            SimulatedPartition partition = new SimulatedPartition(new SplittableRandom(seed), key, 3);
            if (partition.regions() > 1
                    && partition.blocks(0, 0, 0).isEmpty()
                    && !partition.blocks(1, 0, 0).isEmpty()) {
                return partition;
            }
        }
    }

    /** A partition with its first region at one worker and all others at another one, committed after 7 s. */
    SimulatedPartition writeAtBoth(SimulatedWorker first, SimulatedWorker second) throws Exception {
        SimulatedPartition partition = withNothingInItsFirstRegion(new PartitionKey("job", "exchange", 1, 1));
        WriteStream stream = writeAtBoth(partition, first, second);
        CompletableFuture<Void> committed = stream.commit(partition.attributes(), partition.bytes());
        seconds(5);
        assertThat(committed).isCompleted();
        return partition;
    }

    /** The same of a given one, which is not committed. */
    WriteStream writeAtBoth(SimulatedPartition partition, SimulatedWorker first, SimulatedWorker second)
            throws Exception {
        List<Candidate> candidates = List.of(candidate(first), candidate(second));
        lease.keep(partition.key(), candidates);
        WriteStream stream = client.write(partition.key(), candidates, 3, world::fail);
        stream.write(partition.region(0, () -> {}));
        seconds(1);
        first.kill();
        writeFrom(1, partition, stream);
        seconds(1);
        first.start();
        return stream;
    }
}
