package io.drey.shuffle.client;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Settings of a client.
 *
 * @param registries where workers are listed; looked up at each connection
 * @param secret of the cluster, or null
 * @param threads for reads, and as many for writes; each has a connection of its own to a worker
 * @param workerWait how long a reader or writer waits for workers that do not answer
 */
public record ClientOptions(List<InetSocketAddress> registries, String secret, int threads, Duration workerWait) {
    public ClientOptions {
        registries = List.copyOf(registries);
    }
}
