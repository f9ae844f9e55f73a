package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** A job of which a worker has partitions. Its lock guards all of it, and its partitions. */
final class JobEntry {
    private final String name;
    private final Map<PartitionKey, StoredPartition> partitions = new LinkedHashMap<>();
    private final TreeMap<Long, StoredPartition> commits = new TreeMap<>();
    private final Set<StorageDirectory> directories = new LinkedHashSet<>();
    private long session;
    private long recordedSession;
    private long ledSinceMs = Long.MIN_VALUE;
    private long sequence;
    private long keepMs;
    private long renewedMs;
    private long deadlineMs;
    private volatile boolean gone;

    /** @param sequence the one before the first commit */
    JobEntry(String name, long sequence, long nowMs, long keepMs) {
        this.name = name;
        this.sequence = sequence;
        renew(nowMs, keepMs);
    }

    String name() {
        return name;
    }

    Map<PartitionKey, StoredPartition> partitions() {
        return partitions;
    }

    /** Those with files or a journal of the job. */
    Set<StorageDirectory> directories() {
        return directories;
    }

    long session() {
        return session;
    }

    void session(long newSession) {
        session = newSession;
    }

    /** When whoever has the session began to lead, by the wall clock; at the latest, if a start has found it. */
    long ledSinceMs() {
        return ledSinceMs;
    }

    void ledSince(long ms) {
        ledSinceMs = ms;
    }

    /** The newest session that is in a journal: what a restart goes on with. */
    long recordedSession() {
        return recordedSession;
    }

    void recorded(long newSession) {
        recordedSession = Math.max(recordedSession, newSession);
    }

    /** The lease goes on for so long from now. */
    void renew(long nowMs, long newKeepMs) {
        renewedMs = nowMs;
        keepMs = newKeepMs;
        deadlineMs = nowMs + newKeepMs;
    }

    /** When its session was renewed last: of one that a start has found, no earlier than that. */
    long renewedMs() {
        return renewedMs;
    }

    /** As long as it was renewed for last. */
    void renew(long nowMs) {
        deadlineMs = Math.max(deadlineMs, nowMs + keepMs);
    }

    long deadlineMs() {
        return deadlineMs;
    }

    /** Whether all of it was released; another entry of this name may have come. */
    boolean isGone() {
        return gone;
    }

    void goAway() {
        gone = true;
    }

    long sequence() {
        return sequence;
    }

    long nextSequence() {
        return ++sequence;
    }

    /** By their sequence. */
    NavigableMap<Long, StoredPartition> commits() {
        return commits;
    }

    void forget(StoredPartition partition) {
        partitions.remove(partition.key());
        commits.remove(partition.sequence());
    }

    /** Takes over what a directory has of the job at a start. */
    void adopt(JobEntry found, long wallClockMs) {
        session = Math.max(session, found.session);
        ledSinceMs = wallClockMs;
        recorded(found.recordedSession);
        directories.addAll(found.directories);
        partitions.putAll(found.partitions);
        for (StoredPartition each : found.commits.values()) {
            each.sequence(nextSequence());
            commits.put(each.sequence(), each);
        }
    }
}
