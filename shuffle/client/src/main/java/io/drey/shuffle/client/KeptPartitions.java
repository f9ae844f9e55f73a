package io.drey.shuffle.client;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The partitions that a job wants to have, and where they may be. Belongs to the lane's event loop. */
final class KeptPartitions {
    private final BiConsumer<PartitionKey, List<Candidate>> release;
    private final Map<PartitionKey, List<Candidate>> kept = new HashMap<>();

    /**
     * The lost attempt at each partition. Consumers may still read the part of it that is with other workers, until its
     * producer runs again.
     */
    private final Map<PartitionKey, PartitionKey> lost = new HashMap<>();

    private boolean isAll;

    KeptPartitions(BiConsumer<PartitionKey, List<Candidate>> release) {
        this.release = release;
    }

    void keep(PartitionKey key, List<Candidate> candidates) {
        kept.put(key, candidates);
        PartitionKey earlier = lost.remove(anyAttempt(key));
        if (earlier != null && !earlier.equals(key)) {
            release(earlier);
        }
    }

    private void release(PartitionKey key) {
        List<Candidate> candidates = kept.remove(key);
        if (candidates != null) {
            release.accept(key, candidates);
        }
    }

    void forget(PartitionKey key) {
        kept.remove(key);
        lost.remove(anyAttempt(key), key);
    }

    void lost(PartitionKey key) {
        if (kept.containsKey(key)) {
            PartitionKey earlier = lost.put(anyAttempt(key), key);
            if (earlier != null && !earlier.equals(key)) {
                release(earlier);
            }
        }
    }

    private static PartitionKey anyAttempt(PartitionKey key) {
        return new PartitionKey(key.job(), key.exchange(), key.partition(), 0);
    }

    boolean isKept(PartitionKey key) {
        return kept.containsKey(key);
    }

    /** All that the job wants of what exists has been named. */
    void areAll() {
        isAll = true;
    }

    boolean isAll() {
        return isAll;
    }
}
