package io.drey.shuffle.client;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.request.RequestConnection;
import io.drey.shuffle.registry.Exclusions;
import io.drey.shuffle.registry.WorkerRegistry;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabShelf;
import io.drey.shuffle.worker.server.Connections;
import io.drey.shuffle.worker.server.RegistryLink;
import io.drey.shuffle.worker.server.WorkerState;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A machine with its disks, and the worker on it: the parts of a real one, put together as there. */
final class SimulatedWorker {
    private static final long DRAIN_NANOS = 5 * World.SECOND;
    private static final long CLOSE_NANOS = 10 * World.SECOND;
    private static final int SLABS_MIN = 4;

    /** What workers of a history have in common. */
    record Setting(World world, SimulatedNetwork network, SlabShelf slabs, long keepMs, List<Integer> registries) {}

    private final Setting setting;
    private final World world;
    private final int machine;
    private final List<SimulatedDisk> disks = new ArrayList<>();
    private final List<SimulatedLoop> loops = new ArrayList<>();
    private final List<SimulatedDisk.Driver> drivers = new ArrayList<>();
    private UUID id;
    private int nextLoop;
    private boolean isUp;
    private boolean isStopping;
    private SlabPool pool;
    private Storage storage;
    private Catalog catalog;
    private WorkerRegistry registry;
    private WorkerState state;
    private Connections connections;

    SimulatedWorker(Setting setting, int machine, int directories) {
        this.setting = setting;
        this.world = setting.world();
        this.machine = machine;
        for (int i = 0; i < directories; i++) {
            disks.add(new SimulatedDisk(world, Path.of("/" + machine + "/" + i)));
        }
        id = newId();
        disks.forEach(each -> each.empty(id));
    }

    private UUID newId() {
        return new UUID(world.random().nextLong(), world.random().nextLong());
    }

    /** While it is down: its last directory is emptied; with the only one, its identity goes. */
    void empty() {
        id = disks.size() == 1 ? newId() : id;
        disks.get(disks.size() - 1).empty(id);
    }

    int machine() {
        return machine;
    }

    List<SimulatedDisk> disks() {
        return disks;
    }

    boolean isUp() {
        return isUp;
    }

    boolean isStopping() {
        return isStopping;
    }

    /** Whether the process that was started last had to do without a directory: with it, it is another storage. */
    boolean isWithoutADirectory() {
        return storage != null && storage.directories().size() < disks.size();
    }

    UUID id() {
        return id;
    }

    Catalog catalog() {
        return catalog;
    }

    private SimulatedLoop loop() {
        SimulatedLoop made = new SimulatedLoop(world);
        loops.add(made);
        return made;
    }

    /** Starts a process; it stays down if its disks cannot be read, and for nothing else: not if they are full, say. */
    void start() {
        try {
            pool = setting.slabs()
                    .pool((long) SLABS_MIN * Slab.BYTES * (1 + world.random().nextInt(8)));
            storage = Storage.open(
                    disks.stream().map(SimulatedDisk::root).toList(),
                    new Storage.Disks() {
                        @Override
                        public WorkerDisk of(Path directory) {
                            return disk(directory);
                        }

                        @Override
                        public SimulatedDisk.Driver driver(Path directory) {
                            SimulatedDisk.Driver driver = disk(directory).new Driver();
                            drivers.add(driver);
                            return driver;
                        }

                        @Override
                        public void run(Path directory, Runnable task) {
                            task.run();
                        }
                    },
                    pool,
                    0);
            catalog = new Catalog(storage, this::nowMs, this::nowMs, setting.keepMs());
            registry =
                    new WorkerRegistry(this::nowMs, Exclusions.NONE, list -> CompletableFuture.completedFuture(null));
        } catch (IOException | DreyException e) {
            excused(e);
            die();
            return;
        }
        // Of regions this small a file is soon long.
        long splitBytes = world.oneIn(4) ? 1_000 : 1 << 20;
        state = new WorkerState(storage, pool, catalog, new Handshake(null), splitBytes, registry, this::report);
        connections = new Connections(state, 1_000);
        listen();
        isUp = true;
        isStopping = false;
    }

    private SimulatedDisk disk(Path directory) {
        return disks.stream()
                .filter(each -> each.root().equals(directory))
                .findFirst()
                .orElseThrow();
    }

    /** What its disks refuse has a reason only while one of them fails or hangs. */
    private void excused(Exception e) {
        if (disks.stream().noneMatch(each -> each.isFailing() || each.isHanging())) {
            world.fail(e);
        }
    }

    private long nowMs() {
        return world.now() / World.MS;
    }

    private void listen() {
        List<SimulatedLoop> serving = List.of(loop(), loop());
        SimulatedLoop clock = loop();
        setting.network()
                .listen(
                        machine,
                        () -> serving.get(nextLoop++ % 2),
                        channel -> channel.pipeline().addLast(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel accepted) {
                                connections.accept(accepted);
                            }
                        }));
        List<RegistryLink> links = setting.registries().stream()
                .filter(each -> each != machine)
                .map(each -> link(serving.get(0), each))
                .toList();
        every(clock, setting.keepMs() / 10, catalog::expire);
        every(clock, 10_000, catalog::watch);
        every(clock, 10_000, connections::check);
        every(clock, WorkerRegistry.HEARTBEAT_MS, () -> beat(links));
        clock.execute(() -> beat(links));
    }

    private void beat(List<RegistryLink> links) {
        if (setting.registries().contains(machine)) {
            registry.heard(report());
        }
        links.forEach(RegistryLink::beat);
    }

    private static void every(SimulatedLoop clock, long ms, Runnable task) {
        clock.execute(() -> clock.scheduleWithFixedDelay(task, ms, ms, TimeUnit.MILLISECONDS));
    }

    private RegistryLink link(SimulatedLoop loop, int registryMachine) {
        return new RegistryLink(
                "" + registryMachine,
                Runnable::run,
                () -> RequestConnection.connect(
                        new Bootstrap()
                                .group(loop)
                                .channelFactory(() -> new SimulatedChannel(setting.network(), machine)),
                        SimulatedNetwork.host(registryMachine),
                        SimulatedNetwork.PORT,
                        new Handshake(null),
                        "worker"),
                this::report);
    }

    private WorkerReport report() {
        return state.report(SimulatedNetwork.host(machine), SimulatedNetwork.PORT, 0, "");
    }

    /** The process is killed: what it wrote to its files is there. */
    void kill() {
        if (isUp) {
            die();
            setting.network().gone(machine);
        }
    }

    private void die() {
        isUp = false;
        loops.forEach(SimulatedLoop::kill);
        loops.clear();
        drivers.forEach(SimulatedDisk.Driver::kill);
        drivers.clear();
        disks.forEach(SimulatedDisk::unlock);
    }

    /** Drains it and ends it as SIGTERM does, then runs something. */
    void drainAndStop(Runnable then) {
        Connections drained = connections;
        isStopping = true;
        drained.drain();
        awaitWriters(drained, world.now() + DRAIN_NANOS, () -> {
            drained.close();
            awaitWriters(drained, world.now() + CLOSE_NANOS, () -> {
                try {
                    storage.close();
                } catch (IOException e) {
                    excused(e);
                }
                if (disks.stream().anyMatch(each -> each.isLocked() && !each.isHanging())) {
                    world.fail(new AssertionError("a worker that has ended keeps another one out of its directory"));
                }
                kill();
                then.run();
            });
        });
    }

    private void awaitWriters(Connections drained, long end, Runnable then) {
        world.after(100 * World.MS, () -> {
            if (connections != drained || !isUp) {
                // It was killed meanwhile.
                return;
            }
            if (state.writers() == 0 || world.now() >= end) {
                then.run();
            } else {
                awaitWriters(drained, end, then);
            }
        });
    }

    /** What it says as a registry of a worker; null if it never heard of it. */
    Health health(UUID worker) {
        List<Member> members = registry.list(new ListWorkers(List.of(worker))).members();
        return members.isEmpty() ? null : members.get(0).health();
    }

    /** Writers that are open. */
    int writers() {
        return state.writers();
    }

    /** What is open, or in use, of a worker that nobody uses: nothing. */
    String inUse() {
        return state.writers() == 0 && state.readers().get() == 0 && pool.usedBytes() == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%d writers, %d readers, %d bytes of memory",
                        state.writers(),
                        state.readers().get(),
                        pool.usedBytes());
    }
}
