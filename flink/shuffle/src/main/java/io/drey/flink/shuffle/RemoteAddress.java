package io.drey.flink.shuffle;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.shuffle.NettyShuffleDescriptor;
import org.apache.flink.runtime.shuffle.NettyShuffleDescriptor.PartitionConnectionInfo;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;

/**
 * Carries a descriptor of ours through Flink's gates to the router: Flink asks a {@link NettyShuffleDescriptor} for an
 * address and hands that to its connection manager, unread. The address itself leads nowhere.
 */
final class RemoteAddress extends InetSocketAddress {
    /** Where Flink believes our partitions are: by this name the router knows its own. */
    static final ResourceID LOCATION = new ResourceID("drey-shuffle");

    private static final long serialVersionUID = 1L;

    private final DreyShuffleDescriptor descriptor;

    private RemoteAddress(DreyShuffleDescriptor descriptor) {
        super(InetAddress.getLoopbackAddress(), 0);
        this.descriptor = descriptor;
    }

    DreyShuffleDescriptor descriptor() {
        return descriptor;
    }

    /** A descriptor as Netty's gates take it: ours as one of theirs, any other as it is. */
    static ShuffleDescriptor shown(ShuffleDescriptor descriptor) {
        return descriptor instanceof DreyShuffleDescriptor ours
                ? new NettyShuffleDescriptor(LOCATION, new Info(ours), ours.getResultPartitionID())
                : descriptor;
    }

    private record Info(DreyShuffleDescriptor descriptor) implements PartitionConnectionInfo {
        private static final long serialVersionUID = 1L;

        @Override
        public InetSocketAddress getAddress() {
            return new RemoteAddress(descriptor);
        }

        @Override
        public int getConnectionIndex() {
            return 0;
        }
    }
}
