package io.drey.flink.state.canonical;

import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.task.PinnedSnapshot;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;
import org.apache.flink.runtime.state.FullSnapshotResources;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyValueStateIterator;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * A snapshot of the store as Flink's writer of canonical savepoints wants it. Taken by the owner, read by one thread.
 */
public final class CanonicalSnapshot<K> implements FullSnapshotResources<K> {
    private final PinnedSnapshot snapshot;
    private final List<StateMetaInfoSnapshot> infos;
    private final List<CanonicalTable> tables;
    private final KeyGroupRange keyGroups;
    private final TypeSerializer<K> keySerializer;
    private final StreamCompressionDecorator compression;

    /** Takes over the snapshot, and releases it if it fails. */
    public CanonicalSnapshot(PinnedSnapshot snapshot, StateTables tables, CanonicalFormat<K> format) {
        this.snapshot = snapshot;
        this.keyGroups = format.keyGroups();
        this.keySerializer = format.keySerializer();
        this.compression = format.compression();
        this.tables = new ArrayList<>();
        int prefixBytes = CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(format.keyGroupsOfJob());
        boolean done = false;
        try {
            this.infos = tables.snapshot();
            for (StateTable table : tables.all()) {
                this.tables.add(CanonicalTable.of(table, snapshot.store(), keySerializer, prefixBytes));
            }
            done = true;
        } finally {
            if (!done) {
                release();
            }
        }
    }

    /**
     * Settings that the format depends on besides the states.
     *
     * @param keyGroupsOfJob the job's maximum parallelism
     */
    public record CanonicalFormat<K>(
            KeyGroupRange keyGroups,
            int keyGroupsOfJob,
            TypeSerializer<K> keySerializer,
            StreamCompressionDecorator compression) {}

    @Override
    public List<StateMetaInfoSnapshot> getMetaInfoSnapshots() {
        return infos;
    }

    @Override
    public KeyValueStateIterator createKVStateIterator() throws IOException {
        try {
            snapshot.store().await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("the savepoint was interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
        return new CanonicalRows(snapshot.store(), tables, keyGroups);
    }

    @Override
    public KeyGroupRange getKeyGroupRange() {
        return keyGroups;
    }

    @Override
    public TypeSerializer<K> getKeySerializer() {
        return keySerializer;
    }

    @Override
    public StreamCompressionDecorator getStreamCompressionDecorator() {
        return compression;
    }

    @Override
    public void release() {
        snapshot.release();
    }
}
