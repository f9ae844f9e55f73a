package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.frame.FrameReader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The connections of a worker: a {@link WorkerConnection} of each client. Any thread may call it. */
public final class Connections {
    private final WorkerState state;
    private final Requests requests;
    private final int connectionsMax;
    private final Set<WorkerConnection> open = new LinkedHashSet<>();

    /** @param connectionsMax connections above which further ones are closed */
    public Connections(WorkerState state, int connectionsMax) {
        this.state = state;
        this.requests = new Requests(state);
        this.connectionsMax = connectionsMax;
    }

    private synchronized boolean add(WorkerConnection connection) {
        return open.size() < connectionsMax && open.add(connection);
    }

    private synchronized void remove(WorkerConnection connection) {
        open.remove(connection);
    }

    private synchronized List<WorkerConnection> all() {
        return new ArrayList<>(open);
    }

    /** The channel's thread: a client has come. */
    public void accept(Channel channel) {
        WorkerConnection connection = new WorkerConnection(channel, state, requests);
        if (!add(connection)) {
            channel.close();
            return;
        }
        channel.closeFuture().addListener(future -> remove(connection));
        channel.pipeline().addLast(new FrameReader(connection, connection::isReady));
        connection.awaitGreeting();
    }

    /** To be called now and then: gives up clients that are silent, and what waits for directories that hang. */
    public void check() {
        boolean isHanging = state.storage().isHanging();
        for (WorkerConnection each : all()) {
            each.execute(each::checkSilence);
            if (isHanging) {
                each.execute(each::refuseHanging);
            }
        }
    }

    public synchronized int size() {
        return open.size();
    }

    /** No new writers and regions from now on; all clients are told. */
    public void drain() {
        state.drain();
        for (WorkerConnection each : all()) {
            each.execute(() -> each.send(FrameType.GOAWAY, 0, 0, 0, 0));
        }
    }

    /** Closes all. */
    public List<ChannelFuture> close() {
        return all().stream().map(each -> each.channel().close()).toList();
    }
}
