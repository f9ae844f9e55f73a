package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.worker.memory.SlabShelf;
import java.util.List;
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
        SimulatedLoop silent = new SimulatedLoop(world);
        network.listen(REGISTRY, () -> silent, accepted -> {});
        worker.start();
        seconds(5);
        registry.start();

        seconds(60);

        assertThat(registry.health(worker.id())).isEqualTo(Health.ALIVE);
    }
}
