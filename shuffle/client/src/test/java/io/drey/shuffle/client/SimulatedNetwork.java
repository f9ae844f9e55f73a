package io.drey.shuffle.client;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Connections between the machines of a world. Each keeps its order; those of two are as fast as they are. */
final class SimulatedNetwork {
    static final int PORT = 9470;

    private static final String NET = "10.0.0.";

    private static final int SLOW_WINDOW_BYTES_MIN = 4 << 10;

    /** A worker that listens. */
    private record Listener(Supplier<SimulatedLoop> loops, Consumer<SimulatedChannel> accept) {}

    private final World world;
    private final int windowBytes;
    private final long delayMax;
    private final Map<Integer, Listener> listeners = new HashMap<>();
    private final Set<SimulatedChannel> open = new LinkedHashSet<>();
    private final Set<Integer> cut = new LinkedHashSet<>();

    /** Connections that carry nothing any more, of which neither end is told. */
    private final Set<SimulatedChannel> mute = new LinkedHashSet<>();

    /** What waits until a machine is reached again. */
    private final List<Runnable> held = new ArrayList<>();

    SimulatedNetwork(World world) {
        this.world = world;
        windowBytes = 1 << world.between(8, 18);
        // A connection that is slow in both ways would take longer for a region than a client waits for an answer.
        delayMax = world.oneIn(4) && windowBytes >= SLOW_WINDOW_BYTES_MIN ? 200 * World.MS : 2 * World.MS;
    }

    World world() {
        return world;
    }

    int windowBytes() {
        return windowBytes;
    }

    long delay() {
        return world.oneIn(16) ? world.between(1, delayMax) : world.between(1, 200_000);
    }

    static String host(int machine) {
        return NET + machine;
    }

    void listen(int machine, Supplier<SimulatedLoop> loops, Consumer<SimulatedChannel> accept) {
        listeners.put(machine, new Listener(loops, accept));
    }

    /** A process there takes connections, as its system does that for it, and says nothing. */
    void standStill(int machine) {
        SimulatedLoop silent = new SimulatedLoop(world);
        listen(machine, () -> silent, accepted -> {});
    }

    /** A machine without a process: its connections are cut, and told so, unless it is not reached at all. */
    void gone(int machine) {
        listeners.remove(machine);
        cutConnections(machine);
    }

    /** All connections of a machine are reset. */
    void cutConnections(int machine) {
        for (SimulatedChannel each : List.copyOf(open)) {
            SimulatedChannel peer = each.peer();
            if (!mute.contains(each) && (each.host() == machine || (peer != null && peer.host() == machine))) {
                Runnable reset = each::reset;
                if (cut.contains(machine)) {
                    held.add(reset);
                } else {
                    world.after(delay(), reset);
                }
            }
        }
    }

    /** All connections of a machine carry nothing from now on, and nobody is told; new ones do. */
    void mute(int machine) {
        for (SimulatedChannel each : open) {
            if (each.host() == machine || each.peer().host() == machine) {
                mute.add(each);
            }
        }
    }

    /** From now on nothing reaches a machine, or comes from there. */
    void part(int machine) {
        cut.add(machine);
    }

    void join(int machine) {
        cut.remove(machine);
        List<Runnable> waiting = List.copyOf(held);
        held.clear();
        waiting.forEach(each -> world.after(0, each));
    }

    private boolean isParted(SimulatedChannel channel) {
        return cut.contains(channel.host())
                || (channel.peer() != null && cut.contains(channel.peer().host()));
    }

    /** Does something at the other end of a connection at a time, or after its machines are joined again. */
    void carry(SimulatedChannel from, long at, Runnable action) {
        world.after(Math.max(0, at - world.now()), () -> tryToCarry(from, action));
    }

    private void tryToCarry(SimulatedChannel from, Runnable action) {
        if (isParted(from)) {
            held.add(() -> tryToCarry(from, action));
        } else if (!mute.contains(from)) {
            action.run();
        }
    }

    void connect(SimulatedChannel client, InetSocketAddress address) {
        String name = address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
        int machine = name.startsWith(NET) ? Integer.parseInt(name.substring(NET.length())) : -1;
        world.after(delay(), () -> {
            long timeout = client.config().getConnectTimeoutMillis() * World.MS;
            if (cut.contains(machine) || cut.contains(client.host())) {
                world.after(timeout, () -> answer(client, null, "timed out"));
                return;
            }
            Listener listener = listeners.get(machine);
            if (listener == null) {
                world.after(delay(), () -> answer(client, null, "refused"));
                return;
            }
            SimulatedChannel accepted = new SimulatedChannel(this, machine);
            accepted.acceptedFrom(client);
            SimulatedLoop loop = listener.loops().get();
            boolean[] taken = new boolean[1];
            loop.execute(() -> {
                taken[0] = true;
                listener.accept().accept(accepted);
                loop.register(accepted);
                world.after(delay(), () -> answer(client, accepted, null));
            });
            world.after(timeout, () -> {
                if (!taken[0]) {
                    // Its process ended before it could.
                    answer(client, null, "timed out");
                }
            });
        });
    }

    private void answer(SimulatedChannel client, SimulatedChannel accepted, String refusal) {
        SimulatedLoop loop = (SimulatedLoop) client.eventLoop();
        if (accepted != null && ((SimulatedLoop) accepted.eventLoop()).isDead()) {
            // Its process ended since it took the connection.
            answer(client, null, "reset");
            return;
        }
        if (loop.isDead()) {
            if (accepted != null) {
                accepted.reset();
            }
            return;
        }
        if (accepted != null) {
            // From now on, not only when it looks: it is told even if that process ends before.
            client.acceptedBy(accepted);
            open.add(client);
            open.add(accepted);
        }
        loop.execute(() -> {
            client.connected(accepted, refusal);
            if (accepted != null && !client.isActive()) {
                accepted.reset();
            }
        });
    }

    void ended(SimulatedChannel channel) {
        open.remove(channel);
    }
}
