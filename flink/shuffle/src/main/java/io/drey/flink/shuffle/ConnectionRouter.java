package io.drey.flink.shuffle;

import io.drey.shuffle.client.ShuffleClient;
import java.io.IOException;
import org.apache.flink.runtime.io.network.ConnectionID;
import org.apache.flink.runtime.io.network.ConnectionManager;
import org.apache.flink.runtime.io.network.PartitionRequestClient;

/** Sends requests for our partitions to the workers, and all others where Flink would send them. */
final class ConnectionRouter implements ConnectionManager {
    private final ConnectionManager netty;
    private final ShuffleClient workers;

    ConnectionRouter(ConnectionManager netty, ShuffleClient workers) {
        this.netty = netty;
        this.workers = workers;
    }

    private static boolean isOurs(ConnectionID connection) {
        return connection.getResourceID().equals(RemoteAddress.LOCATION);
    }

    @Override
    public int start() throws IOException {
        return netty.start();
    }

    @Override
    public PartitionRequestClient createPartitionRequestClient(ConnectionID connection)
            throws IOException, InterruptedException {
        if (isOurs(connection)) {
            return new RemoteChannelReader(((RemoteAddress) connection.getAddress()).descriptor(), workers);
        }
        return netty.createPartitionRequestClient(connection);
    }

    @Override
    public void closeOpenChannelConnections(ConnectionID connection) {
        if (!isOurs(connection)) {
            netty.closeOpenChannelConnections(connection);
        }
    }

    @Override
    public int getNumberOfActiveConnections() {
        return netty.getNumberOfActiveConnections() + workers.connections();
    }

    @Override
    public void shutdown() throws IOException {
        try {
            netty.shutdown();
        } finally {
            workers.close();
        }
    }
}
