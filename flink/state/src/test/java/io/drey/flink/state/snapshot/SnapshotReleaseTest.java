package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.flink.state.canonical.CanonicalSnapshot;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.PinnedSnapshot;
import io.drey.foundation.DreyException;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.entry.TimestampExpiry;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.SnapshotResources;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.testutils.logging.LoggerAuditingExtension;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

/** What snapshots keep is given back, whatever fails on the way. */
class SnapshotReleaseTest {
    private static final int ROUNDS_MAX = 100;

    @TempDir
    Path base;

    @RegisterExtension
    final LoggerAuditingExtension log = new LoggerAuditingExtension("io.drey.flink.state", Level.WARN);

    private final FaultyDirectory disk = new FaultyDirectory(new MemoryDirectory());
    private final StepBackground background = new StepBackground();
    private final SlotMemory memory = new SlotMemory(1 << 20, 4 << 10);
    private InstanceDirectory directory;
    private InstanceDirectory.Lease backend;
    private Store store;

    @BeforeEach
    void open() throws Exception {
        directory = InstanceDirectory.create(
                List.of(base.toFile()), false, new JobID(), "operator", false, InstanceDirectory.Disks.REAL);
        backend = directory.use();
        store = Store.open(StoreSettings.of(0, 0), new StoreResources(disk, memory, background), List.of());
    }

    @AfterEach
    void close() {
        store.close();
        memory.close();
    }

    /** Writes an entry that carries the time 0, and everything that can be done in the background. */
    private void flush(int table, int key) throws InterruptedException {
        put(table, key);
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
        while (background.step()) {
            store.stats();
        }
    }

    private void put(int table, int key) {
        store.put(new EntryKey().row(table, 0, new byte[] {(byte) key}, 1, new byte[0], 0), new byte[8], 0, 8);
    }

    /** A snapshot that is the last to need its runs: all in them has expired since. */
    private PinnedSnapshot pinned() throws InterruptedException {
        AtomicLong now = new AtomicLong();
        int table = store.table("t", TableKind.VALUE);
        store.expire(table, new TimestampExpiry(0, 10, now::get));
        flush(table, 0);
        PinnedSnapshot pinned = PinnedSnapshot.take(store, directory);
        pinned.store().await();
        now.set(100);
        for (int round = 0; store.stats().jobs().runsExpired() == 0 && round < ROUNDS_MAX; round++) {
            flush(table, round);
        }
        assertThat(store.stats().jobs().runsExpired()).isPositive();
        return pinned;
    }

    private void releaseOnADiskThatDeletesNothing(SnapshotResources snapshot) throws Exception {
        disk.failDeletes(true);
        snapshot.release();
        disk.failDeletes(false);
        assertThat(log.getMessages())
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .contains("could not let go of all its local files");
        backend.close();
        try (Stream<Path> left = Files.list(base)) {
            assertThat(left).as("local directories without users").isEmpty();
        }
    }

    @Test
    void aCheckpointLetsGoOfTheDirectoryThoughAFileCannotBeDeleted() throws Exception {
        releaseOnADiskThatDeletesNothing(new CheckpointSnapshot(pinned(), List.of()));
    }

    @Test
    void aSavepointLetsGoOfTheDirectoryThoughAFileCannotBeDeleted() throws Exception {
        releaseOnADiskThatDeletesNothing(new CanonicalSnapshot<>(
                pinned(),
                new StateTables(store),
                new CanonicalSnapshot.CanonicalFormat<>(
                        KeyGroupRange.of(0, 0),
                        1,
                        IntSerializer.INSTANCE,
                        UncompressedStreamCompressionDecorator.INSTANCE)));
    }

    @Test
    void aStoreThatCannotBeFrozenLeavesTheDirectoryToOthers() throws Exception {
        disk.failFrom(0);
        int table = store.table("t", TableKind.VALUE);
        put(table, 0);
        store.snapshot().close();
        while (background.step()) {
            assertThat(disk.ios()).isPositive();
        }
        assertThatThrownBy(() -> PinnedSnapshot.take(store, directory)).isInstanceOf(DreyException.class);
        backend.close();
        try (Stream<Path> left = Files.list(base)) {
            assertThat(left).as("local directories without users").isEmpty();
        }
    }
}
