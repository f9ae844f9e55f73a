package io.drey.flink.shuffle;

import io.drey.flink.shuffle.DreyShuffleOptions.Fallback;
import io.drey.shuffle.client.Candidate;
import io.drey.shuffle.client.ShuffleControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.shuffle.EmptyShuffleMasterSnapshot;
import org.apache.flink.runtime.shuffle.JobShuffleContext;
import org.apache.flink.runtime.shuffle.NettyShuffleMaster;
import org.apache.flink.runtime.shuffle.PartitionDescriptor;
import org.apache.flink.runtime.shuffle.PartitionWithMetrics;
import org.apache.flink.runtime.shuffle.ProducerDescriptor;
import org.apache.flink.runtime.shuffle.ShuffleDescriptor;
import org.apache.flink.runtime.shuffle.ShuffleMaster;
import org.apache.flink.runtime.shuffle.ShuffleMasterContext;
import org.apache.flink.runtime.shuffle.ShuffleMasterSnapshot;
import org.apache.flink.runtime.shuffle.ShuffleMasterSnapshotContext;
import org.apache.flink.runtime.shuffle.TaskInputsOutputsDescriptor;
import org.apache.flink.util.FlinkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The JobManager's side: gives blocking partitions to the workers and all others to Netty. Several jobs' threads call
 * it. Cached partitions stay Netty's, because Flink's resource manager learns of them from task managers only.
 */
@SuppressWarnings("try")
final class DreyShuffleMaster implements ShuffleMaster<ShuffleDescriptor> {
    private static final Logger LOG = LoggerFactory.getLogger("io.drey.flink.shuffle");
    private static final int CANDIDATES = 4;
    private static final Duration FIRST_LIST_WAIT = Duration.ofSeconds(5);

    private final NettyShuffleMaster netty;
    private final ShuffleSettings settings;
    private final ShuffleControl workers;
    private final Map<JobID, RemoteJob> jobs = new ConcurrentHashMap<>();
    private final AtomicLong fallbacks = new AtomicLong();

    DreyShuffleMaster(ShuffleMasterContext context) {
        netty = new NettyShuffleMaster(context);
        settings = ShuffleSettings.of(context.getConfiguration());
        workers = ShuffleControl.open(settings.client());
    }

    @Override
    public void start() throws Exception {
        netty.start();
        if (!settings.isHybrid()) {
            workers.awaitFirstList(FIRST_LIST_WAIT);
        }
    }

    @Override
    public void close() throws Exception {
        workers.close();
        netty.close();
    }

    @Override
    public void registerJob(JobShuffleContext context) {
        netty.registerJob(context);
        RemoteJob job = new RemoteJob(JobMasterThread.of(context), workers, settings.cluster());
        RemoteJob earlier = jobs.put(context.getJobId(), job);
        if (earlier != null) {
            earlier.close();
        }
    }

    /**
     * Also called when this JobManager loses its leadership: nothing is deleted, the data's lease is no longer renewed.
     */
    @Override
    public void unregisterJob(JobID id) {
        netty.unregisterJob(id);
        RemoteJob job = jobs.remove(id);
        if (job != null) {
            job.close();
        }
    }

    @Override
    public CompletableFuture<ShuffleDescriptor> registerPartitionWithProducer(
            JobID id, PartitionDescriptor partition, ProducerDescriptor producer) {
        RemoteJob job = jobs.get(id);
        boolean isRemote = partition.getPartitionType().isBlockingOrBlockingPersistentResultPartition()
                && !partition.getPartitionType().isPersistent()
                && !settings.isHybrid();
        if (!isRemote || job == null) {
            return netty(id, partition, producer);
        }
        List<Candidate> candidates = workers.choose(CANDIDATES);
        if (!candidates.isEmpty()) {
            ResultPartitionID result =
                    new ResultPartitionID(partition.getPartitionId(), producer.getProducerExecutionId());
            return CompletableFuture.completedFuture(job.begin(result, candidates));
        }
        String none = "no shuffle worker takes data, by " + workers.describe();
        if (settings.fallback() == Fallback.FAIL) {
            return CompletableFuture.failedFuture(new FlinkException(
                    none + ": start workers, or set " + DreyShuffleOptions.FALLBACK.key() + " to netty"));
        }
        long count = fallbacks.incrementAndGet();
        LOG.warn("Partition {} of job {} goes to Netty: {}. Such partitions so far: {}.", partition, id, none, count);
        job.beginElsewhere(partition.getPartitionId());
        return netty(id, partition, producer);
    }

    private CompletableFuture<ShuffleDescriptor> netty(
            JobID id, PartitionDescriptor partition, ProducerDescriptor producer) {
        return netty.registerPartitionWithProducer(id, partition, producer).thenApply(descriptor -> descriptor);
    }

    @Override
    public void releasePartitionExternally(ShuffleDescriptor descriptor) {
        if (descriptor instanceof DreyShuffleDescriptor ours) {
            workers.release(ours.remoteId(), ours.candidates());
            RemoteJob job = jobs.get(ours.job());
            if (job != null) {
                job.remove(ours);
            }
        } else {
            netty.releasePartitionExternally(descriptor);
        }
    }

    @Override
    public MemorySize computeShuffleMemorySizeForTask(TaskInputsOutputsDescriptor task) {
        return netty.computeShuffleMemorySizeForTask(task);
    }

    @Override
    public boolean supportsBatchSnapshot() {
        return netty.supportsBatchSnapshot();
    }

    @Override
    public void snapshotState(CompletableFuture<ShuffleMasterSnapshot> future) {
        if (settings.isHybrid()) {
            netty.snapshotState(future);
        } else {
            future.complete(EmptyShuffleMasterSnapshot.getInstance());
        }
    }

    @Override
    public void snapshotState(
            CompletableFuture<ShuffleMasterSnapshot> future, ShuffleMasterSnapshotContext context, JobID id) {
        RemoteJob job = jobs.get(id);
        if (settings.isHybrid() || job == null) {
            netty.snapshotState(future, context, id);
        } else {
            future.complete(job.snapshot());
        }
    }

    @Override
    public void restoreState(ShuffleMasterSnapshot snapshot) {
        if (settings.isHybrid()) {
            netty.restoreState(snapshot);
        }
    }

    @Override
    public void restoreState(List<ShuffleMasterSnapshot> snapshots, JobID id) {
        if (settings.isHybrid()) {
            netty.restoreState(snapshots, id);
            return;
        }
        RemoteJob job = jobs.get(id);
        for (ShuffleMasterSnapshot snapshot : snapshots) {
            if (job != null && snapshot instanceof ExchangeSnapshot ours) {
                job.restore(ours);
            }
        }
    }

    @Override
    public void notifyPartitionRecoveryStarted(JobID id) {
        netty.notifyPartitionRecoveryStarted(id);
    }

    /**
     * Netty is asked for what it was given: it waits long for what it has not, and has to be asked in the thread of this
     * call.
     */
    @Override
    public CompletableFuture<Collection<PartitionWithMetrics>> getPartitionWithMetrics(
            JobID id, Duration timeout, Set<ResultPartitionID> expected) {
        RemoteJob job = jobs.get(id);
        if (settings.isHybrid() || job == null) {
            return netty.getPartitionWithMetrics(id, timeout, expected);
        }
        // Of attempts side by side another one may have been the last, and gone elsewhere.
        Set<ResultPartitionID> elsewhere = expected.stream()
                .filter(each -> !job.isRemote(each.getPartitionId()))
                .collect(Collectors.toSet());
        return job.recover(expected, timeout)
                .thenCombine(netty.getPartitionWithMetrics(id, timeout, elsewhere), (found, others) -> {
                    LOG.info(
                            "Job {}: of {} finished partitions workers have {}, and task managers {} of {} expected.",
                            id,
                            expected.size(),
                            found.size(),
                            others.size(),
                            elsewhere.size());
                    Collection<PartitionWithMetrics> all = new ArrayList<>(found);
                    all.addAll(others);
                    return all;
                });
    }
}
