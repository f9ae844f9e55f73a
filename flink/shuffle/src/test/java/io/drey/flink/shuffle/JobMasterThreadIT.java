package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.io.network.NettyShuffleServiceFactory;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.shuffle.JobShuffleContext;
import org.apache.flink.runtime.shuffle.NettyShuffleMaster;
import org.apache.flink.runtime.shuffle.ShuffleMasterContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flink's own job master: what we ask of it from our threads is done in its own. */
@Timeout(90)
final class JobMasterThreadIT {
    private static final CompletableFuture<JobShuffleContext> CONTEXT = new CompletableFuture<>();
    private static final CountDownLatch GO_ON = new CountDownLatch(1);

    /** Tells of the context that Flink gives to a shuffle master. */
    @SuppressWarnings("try")
    public static final class Telling extends NettyShuffleServiceFactory {
        @Override
        public NettyShuffleMaster createShuffleMaster(ShuffleMasterContext service) {
            return new NettyShuffleMaster(service) {
                @Override
                public void registerJob(JobShuffleContext context) {
                    super.registerJob(context);
                    CONTEXT.complete(context);
                }
            };
        }
    }

    /** No partitions; remembers who looks. */
    private static final class Watched extends AbstractCollection<ResultPartitionID> {
        private volatile Thread reader;

        @Override
        public Iterator<ResultPartitionID> iterator() {
            reader = Thread.currentThread();
            return Collections.emptyIterator();
        }

        @Override
        public int size() {
            return 0;
        }
    }

    @Test
    void lostPartitionsAreTakenOutOfFlinksTablesInItsOwnThread() throws Exception {
        Map<String, String> telling = Map.of("shuffle-service-factory.class", Telling.class.getName());
        try (TestCluster cluster = new TestCluster(new InetSocketAddress("127.0.0.1", 1), 1, telling)) {
            JobID job = cluster.submit(TestCluster.batch(
                    1,
                    environment -> Jobs.counted(
                            environment.fromSequence(1, 1).map(number -> {
                                GO_ON.await();
                                return "" + number;
                            }),
                            Jobs.WORDS)));
            JobShuffleContext context = CONTEXT.get();
            Watched direct = new Watched();
            context.stopTrackingAndReleasePartitions(direct).get();
            assertThat(direct.reader).isSameAs(Thread.currentThread());

            Watched handedOver = new Watched();
            JobMasterThread.of(context)
                    .stopTrackingAndReleasePartitions(handedOver)
                    .get();
            assertThat(handedOver.reader.getName()).startsWith("flink-pekko");
            GO_ON.countDown();
            cluster.await(job);
        }
    }
}
