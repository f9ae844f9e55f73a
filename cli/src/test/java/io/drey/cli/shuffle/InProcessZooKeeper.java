package io.drey.cli.shuffle;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServer;

/** A ZooKeeper of one server, which Flink brings, in this process: what a JobManager's high availability needs. */
public final class InProcessZooKeeper implements AutoCloseable {
    private static final int TICK_MS = 500;
    private static final int CLIENTS_MAX = 100;
    private static final String HOST = "127.0.0.1";

    private final NIOServerCnxnFactory listener = new NIOServerCnxnFactory();

    /** Starts it at a free port. */
    public InProcessZooKeeper(Path folder) throws IOException, InterruptedException {
        Path data = Files.createDirectories(folder);
        listener.configure(new InetSocketAddress(HOST, 0), CLIENTS_MAX);
        listener.startup(new ZooKeeperServer(data.toFile(), data.toFile(), TICK_MS));
    }

    /** Host and port. */
    public String address() {
        return HOST + ":" + listener.getLocalPort();
    }

    @Override
    public void close() {
        listener.shutdown();
    }
}
