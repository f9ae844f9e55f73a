package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Seeds;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The promises of a network that clients rely on: a history must not fail because its network breaks them. */
class SimulatedNetworkTest {
    private static final int CASES = 1_000;
    private static final int WORKER = 1;
    private static final int CLIENT = 10;
    private static final long DIES_NANOS_MAX = 600_000;

    /** Before, while and after the connection is made. */
    @Test
    void whoConnectsToAProcessThatEndsIsToldSo() {
        Seeds.cases(CASES, seed -> {
            World world = new World(seed);
            SimulatedNetwork network = new SimulatedNetwork(world);
            SimulatedLoop serving = new SimulatedLoop(world);
            network.listen(WORKER, () -> serving, accepted -> {});
            Channel channel = connect(network);
            world.after(world.between(0, DIES_NANOS_MAX), () -> {
                serving.kill();
                network.gone(WORKER);
            });

            world.runUntil(60 * World.SECOND);

            assertThat(channel.isOpen()).isFalse();
        });
    }

    private static Channel connect(SimulatedNetwork network) {
        SimulatedProcess client = new SimulatedProcess(network, CLIENT);
        return new Bootstrap()
                .group(client.group("client"))
                .channelFactory(client.channels())
                .handler(new ChannelInboundHandlerAdapter())
                .connect(InetSocketAddress.createUnresolved(SimulatedNetwork.host(WORKER), SimulatedNetwork.PORT))
                .channel();
    }
}
