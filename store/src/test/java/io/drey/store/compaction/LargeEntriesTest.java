package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.EntryView;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.run.TestCursor;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Merges of many runs of large lists, with little memory to borrow. */
class LargeEntriesTest {
    private static final int LIST_BYTES = 1 << 20;
    private static final int RUNS = 12;
    private static final byte[] NONE = new byte[0];

    private int smallLists = 20;
    private final Random random = new Random(1);
    private final TreeMap<TestEntry.Address, byte[]> expected = new TreeMap<>();

    @Test
    void inputsHoldNoListsWhoseTurnHasNotCome() throws Exception {
        merge(RUNS, 3 * (LIST_BYTES + (1 << 10)));
    }

    @Test
    void partsOfAListAreNotHeldBesideIt() throws Exception {
        merge(1, (RUNS + 3) * (LIST_BYTES + (1 << 10)));
    }

    @Test
    void inputsHoldNothingBeforeTheFirstStep() throws Exception {
        smallLists = 0;
        merge(RUNS, 3 * (LIST_BYTES + (1 << 10)));
    }

    /** In a part of a run, whose first block has other entries, with longer keys. */
    @Test
    void aLargeEntryAmongOthersKeepsItsKeyWhenItsValueIsRead() throws Exception {
        for (int round = 0; round < 20; round++) {
            List<TestEntry> entries = new ArrayList<>();
            for (int number = 0; number < 40; number++) {
                entries.add(value(2, new byte[20 + random.nextInt(2000)], number, new byte[10]));
            }
            for (int number = 0; number < 60; number++) {
                entries.add(value(4, new byte[20], number, new byte[10]));
            }
            byte[] large = new byte[300_000];
            random.nextBytes(large);
            TestEntry sought = value(5, new byte[20], 7, large);
            entries.add(sought);
            Collections.sort(entries, Comparator.comparing(TestEntry::address));
            RunOptions blocks = RunOptions.of(1_000_000, 4 << 10);
            try (TestRuns runs = new TestRuns();
                    Arena arena = new Arena(256 << 10, 4 << 10);
                    Run run = runs.write(entries, blocks);
                    Run other = runs.write(List.of(value(6, new byte[20], 8, new byte[5])), blocks)) {
                RunMemory memory = new RunMemory(arena, new Overdraft(64 << 20));
                try (ReadSession session = ReadSession.background(memory, 64 << 10);
                        MergingCursor merged = new MergingCursor(memory)) {
                    merged.begin(true);
                    for (Run each : List.of(other, run)) {
                        merged.addOlder(RunView.of(each).clipKeyGroups(5, 9).range(0, RunView.NO_END, session));
                    }
                    assertThat(merged.next()).isTrue();
                    EntryView view = new EntryView().read(merged);
                    byte[] body = new byte[view.bodyLength()];
                    Memory.copy(view.bodyAddress(), body, 0, body.length);
                    assertThat(body).isEqualTo(sought.address().body());
                    assertThat(TestCursor.entry(merged)).isEqualTo(sought);
                }
            }
        }
    }

    private static TestEntry value(int keyGroup, byte[] key, int number, byte[] value) {
        ByteBuffer.wrap(key).putInt(number);
        return new TestEntry(TestEntry.address(TestEntry.key(1, keyGroup, key, NONE, null)), EntryKind.VALUE, value);
    }

    /** Runs that hold a part of one of so many lists each, and a few small entries. */
    private void merge(int lists, int overdraftBytes) throws Exception {
        try (TestRuns runs = new TestRuns();
                Arena arena = new Arena(1 << 20, 16 << 10)) {
            RunMemory memory = new RunMemory(arena, new Overdraft(overdraftBytes));
            List<Run> inputs = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                inputs.add(runs.write(entries(i % lists), RunOptions.of(4 << 10, 4 << 10)));
            }
            Collections.reverse(inputs);
            try (ReadSession session = ReadSession.background(memory, 64 << 10);
                    MergingCursor merged = new MergingCursor(memory)) {
                merged.begin(true);
                inputs.forEach(run -> merged.addOlder(RunView.of(run).range(0, RunView.NO_END, session)));
                assertThat(TestCursor.drain(merged)).isEqualTo(TestLayers.asEntries(expected));
            }
            assertThat(memory.overdraft().bytes()).isZero();
            inputs.forEach(Run::close);
        }
    }

    private List<TestEntry> entries(int list) {
        Map<TestEntry.Address, byte[]> own = new TreeMap<>();
        for (int small = 0; small < smallLists; small++) {
            own.put(address(100 + random.nextInt(50)), new byte[8]);
        }
        byte[] large = new byte[LIST_BYTES];
        random.nextBytes(large);
        own.put(address(list), large);
        own.forEach((address, value) -> expected.merge(address, value, LargeEntriesTest::concat));
        return own.entrySet().stream()
                .map(each -> new TestEntry(each.getKey(), EntryKind.APPEND, each.getValue()))
                .toList();
    }

    private static byte[] concat(byte[] before, byte[] after) {
        byte[] both = Arrays.copyOf(before, before.length + after.length);
        System.arraycopy(after, 0, both, before.length, after.length);
        return both;
    }

    private static TestEntry.Address address(int number) {
        byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        EntryKey entry = TestEntry.key(1, 3, key, NONE, null);
        return TestEntry.address(entry);
    }
}
