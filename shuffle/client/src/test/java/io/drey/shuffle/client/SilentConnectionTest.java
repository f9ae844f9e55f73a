package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.request.RequestConnection;
import io.drey.shuffle.protocol.request.RequestConnection.Answer;
import io.drey.shuffle.worker.memory.SlabShelf;
import io.netty.bootstrap.Bootstrap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Connections that carry nothing, of which neither end is told: others are made before harm is done. */
final class SilentConnectionTest {
    private static final int REGISTRY = 1;

    private final World world = new World(1);
    private final SimulatedNetwork network = new SimulatedNetwork(world);
    private final SimulatedWorker.Setting setting =
            new SimulatedWorker.Setting(world, network, new SlabShelf(), 600_000, List.of(REGISTRY));
    private final SimulatedWorker registry = new SimulatedWorker(setting, REGISTRY, 1);
    private final SimulatedWorker worker = new SimulatedWorker(setting, 2, 1);

    private void seconds(long seconds) {
        world.runUntil(world.now() + seconds * World.SECOND);
    }

    @Test
    void aWorkerIsNotTakenForLostThoughItsConnectionToTheRegistryCarriesNothing() {
        registry.start();
        worker.start();
        seconds(5);

        network.mute(REGISTRY);

        for (int second = 0; second < 120; second++) {
            seconds(1);
            assertThat(registry.health(worker.id())).as("after %d s", second).isNotEqualTo(Health.LOST);
        }
        assertThat(registry.health(worker.id())).isEqualTo(Health.ALIVE);
    }

    @Test
    void aWorkerReachesARegistryThatTookItsConnectionAtFirstWithoutAWord() {
        network.standStill(REGISTRY);
        worker.start();
        seconds(5);
        registry.start();

        seconds(60);

        assertThat(registry.health(worker.id())).isEqualTo(Health.ALIVE);
    }

    /** As of a process that stands still: its system takes connections for it. */
    @Test
    void aWorkerReachesARegistrySoonThatTookItsConnectionWithoutAWord() {
        network.standStill(REGISTRY);
        worker.start();
        seconds(2);
        registry.start();

        seconds(8);

        assertThat(registry.health(worker.id())).isEqualTo(Health.ALIVE);
    }

    private CompletableFuture<RequestConnection> dialed() {
        SimulatedProcess process = new SimulatedProcess(network, 3);
        return RequestConnection.connect(
                new Bootstrap().group(process.group("")).channelFactory(process.channels()),
                SimulatedNetwork.host(REGISTRY),
                SimulatedNetwork.PORT,
                new Handshake(null),
                "drey");
    }

    @Test
    void whoIsNotGreetedSoonIsToldWhatToLookAt() {
        network.standStill(REGISTRY);
        CompletableFuture<RequestConnection> dialed = dialed();
        seconds(6);
        assertThatThrownBy(dialed::join)
                .hasRootCauseMessage("expected a greeting of 10.0.0.1:9470 within 5 s, found none: what listens there"
                        + " stands still, or is no worker; see its process and its log");
    }

    @Test
    void whoIsNotAnsweredIsToldWhatToLookAt() {
        registry.start();
        CompletableFuture<RequestConnection> dialed = dialed();
        seconds(1);
        network.mute(REGISTRY);
        CompletableFuture<Answer> answer = dialed.join().request(FrameType.LIST, new ListWorkers(List.of()));
        seconds(25);
        assertThat(answer).isNotDone();
        seconds(6);
        assertThatThrownBy(answer::join)
                .hasRootCauseMessage("expected an answer of 10.0.0.1:9470 within 30 s, found none: what listens there"
                        + " stands still, or is no worker; see its process and its log");
    }
}
