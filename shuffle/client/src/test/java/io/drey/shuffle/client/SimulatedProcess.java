package io.drey.shuffle.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A process of clients, on a machine of its own: a task manager or a job manager. */
final class SimulatedProcess implements Ground {
    private final SimulatedNetwork network;
    private final int machine;
    private final List<SimulatedLoop> loops = new ArrayList<>();
    private final long clockMs;
    private boolean isUp = true;

    SimulatedProcess(SimulatedNetwork network, int machine) {
        this(network, machine, 1);
    }

    /** @param clockMs by how much its clock is ahead of the world's */
    SimulatedProcess(SimulatedNetwork network, int machine, long clockMs) {
        this.network = network;
        this.machine = machine;
        this.clockMs = clockMs;
    }

    int machine() {
        return machine;
    }

    boolean isUp() {
        return isUp;
    }

    void kill() {
        isUp = false;
        loops.forEach(SimulatedLoop::kill);
        network.gone(machine);
    }

    /** It stands still, as its machine does that is moved; clocks go on. */
    void pause(long nanos) {
        loops.forEach(each -> each.pause(nanos));
    }

    @Override
    public EventLoopGroup group(String name) {
        SimulatedLoop loop = new SimulatedLoop(network.world());
        loops.add(loop);
        return loop;
    }

    @Override
    public ChannelFactory<Channel> channels() {
        return () -> new SimulatedChannel(network, machine);
    }

    @Override
    public InetAddress lookUp(String host) throws UnknownHostException {
        return InetAddress.getByName(host);
    }

    @Override
    public long wallClockMs() {
        return network.world().now() / World.MS + clockMs;
    }

    @Override
    public RandomGenerator random() {
        return network.world().random();
    }
}
