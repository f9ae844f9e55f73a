package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.foundation.LentOutException;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.StepBackground;
import io.drey.store.schedule.ThreadBackground;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store whose large lists cannot be put together, because others have what the slot lends. */
final class StoreLentOutTest {
    private static final int ARENA_BYTES = 4 << 20;

    /** The list that a compaction of all runs makes does not fit the arena. */
    private static final int PART_BYTES = ARENA_BYTES / 4;

    private static final int MANY_FLUSHES = 40;

    private final StepBackground background = new StepBackground(1 << 20);
    private final SlotMemory memory = new SlotMemory(ARENA_BYTES, 4 << 10);
    private final Scratch others = new Scratch(memory.arena(), memory.overdraft());
    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] part = new byte[PART_BYTES];
    private Store store;
    private int table;

    @BeforeEach
    void open() {
        open(background);
    }

    private void open(Background jobs) {
        StoreResources resources = new StoreResources(new MemoryDirectory(), memory, jobs);
        store = Store.open(StoreSettings.of(0, 3), resources, List.of());
        table = store.table("lists", TableKind.LIST);
    }

    @AfterEach
    void allMemoryIsBack() {
        store.close();
        others.close();
        assertThat(memory.overdraft().bytes()).isZero();
        memory.close();
    }

    /** Of one thread for all: whoever has the memory gives it back when it is his turn. */
    @Test
    void aFlushLetsOthersHaveTheThreadThatGiveBackWhatTheyBorrowed() throws Exception {
        store.close();
        try (ThreadBackground oneThread = new ThreadBackground(1)) {
            open(oneThread);
            store.append(keys.key(table, 1), part, 0, 100);
            long last = 0;
            for (long page = take(); page != Arena.FULL; page = take()) {
                Memory.putLong(page, last);
                last = page;
            }
            lend();
            try (StoreSnapshot snapshot = store.snapshot()) {
                oneThread.submit(Background.Urgency.COMPACTION, bytes -> {
                    others.close();
                    return false;
                });
                snapshot.await();
            }
            while (last != 0) {
                long next = Memory.getLong(last);
                memory.arena().give(last, Arena.Use.SCRATCH);
                last = next;
            }
        }
    }

    private long take() {
        return memory.arena().take(Arena.Use.SCRATCH);
    }

    private void lend() {
        others.reserve((int) memory.overdraft().bytesMax());
        assertThat(others.isBorrowed()).isTrue();
    }

    private void flush() throws InterruptedException {
        store.append(keys.key(table, 1), part, 0, part.length);
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
        while (background.step()) {
            // Until nothing is due.
            store.get(keys.key(table, 2), new Bytes());
        }
    }

    @Test
    void aCompactionIsTriedAgainWhenOthersHaveGivenBackWhatTheyBorrowed() throws Exception {
        lend();
        int flushes = 0;
        for (; flushes < 10; flushes++) {
            flush();
        }
        assertThat(store.stats().jobs().compactions()).isZero();
        others.close();
        flush();
        flush();
        assertThat(store.stats().jobs().compactions()).isPositive();
        Bytes read = new Bytes();
        assertThat(store.get(keys.key(table, 1), read)).isTrue();
        assertThat(read.length()).isEqualTo((flushes + 2) * PART_BYTES);
    }

    @Test
    void aScanWaitsForWhatOthersGiveBack() throws Exception {
        int parts = 8;
        for (int i = 0; i < parts; i++) {
            flush();
        }
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
            lend();
            Thread owner = Thread.currentThread();
            Thread other = new Thread(() -> {
                while (owner.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                }
                others.close();
            });
            other.start();
            try (EntryCursor entries = snapshot.scan(table, 0, 3)) {
                assertThat(entries.next()).isTrue();
                assertThat(entries.valueLength()).isEqualTo(parts * PART_BYTES);
                assertThat(Memory.getByte(entries.valueAddress())).isZero();
            }
            other.join();
        }
    }

    @Test
    void compactionsThatNeverFindMemoryEndTheStoreWithASentence() {
        lend();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < MANY_FLUSHES; i++) {
                        flush();
                    }
                })
                .isInstanceOf(DreyException.class)
                .hasRootCauseInstanceOf(LentOutException.class)
                .hasMessageContaining("make values smaller, or give the task more managed memory");
        others.close();
    }
}
