package io.drey.shuffle.client;

import java.net.InetSocketAddress;
import java.util.UUID;

/** A worker and its last known address. */
public record Candidate(UUID worker, String host, int port) {
    InetSocketAddress address() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    @Override
    public String toString() {
        return worker + " at " + host + ":" + port;
    }
}
