package io.drey.cli.inspect;

import io.drey.cli.inspect.row.RowDecoder;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.StateForm;
import io.drey.cli.inspect.row.StateRow;
import io.drey.cli.inspect.snapshot.KeyedPart;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.terminal.ProgressLine;
import io.drey.foundation.Hash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Compares two snapshots of a job, key group by key group: no more than one of them is in memory. One thread. */
final class SnapshotDiff {
    private static final int GROWN_MAX = 5;

    private final Snapshot before;
    private final Snapshot after;
    private final ProgressLine progress;

    /**
     * A state of an operator in both snapshots, or in one of them.
     *
     * @param changed keys in both whose bytes are others
     * @param grown the keys that grew most
     */
    public record StateDiff(
            String operator,
            String state,
            long keysBefore,
            long keysAfter,
            long bytesBefore,
            long bytesAfter,
            long added,
            long removed,
            long changed,
            List<Grown> grown) {}

    /** A key that grew by so many bytes. */
    public record Grown(String key, long bytesBefore, long bytesAfter) {}

    private static final class Sums {
        private final List<Grown> grown = new ArrayList<>();
        private long keysBefore;
        private long keysAfter;
        private long bytesBefore;
        private long bytesAfter;
        private long added;
        private long removed;
        private long changed;
    }

    /** A key of a state in a key group: its bytes, and what they come to. */
    private static final class Entry {
        private final StateRow first;
        private long bytes;
        private long hash;

        Entry(StateRow first) {
            this.first = first;
        }
    }

    private record Address(String state, ByteBuffer key, ByteBuffer namespace) {}

    public SnapshotDiff(Snapshot before, Snapshot after, ProgressLine progress) {
        this.before = before;
        this.after = after;
        this.progress = progress;
    }

    /** All states that differ in any way or not, by operator and name. */
    public List<StateDiff> states() throws IOException {
        Map<String, SnapshotOperator> operators = new TreeMap<>();
        // Of an operator that has finished meanwhile, the later one has no state.
        Stream.concat(before.operators().stream(), after.operators().stream())
                .filter(operator -> !operator.keyed().isEmpty())
                .forEach(operator -> operators.put(operator.id(), operator));
        List<StateDiff> diffs = new ArrayList<>();
        for (SnapshotOperator operator : operators.values()) {
            Map<String, Sums> byState = new TreeMap<>();
            for (int group = 0; group < operator.maxParallelism(); group++) {
                progress.show(operator.name() + ": key group " + group + " of " + operator.maxParallelism());
                compare(entries(before, operator.id(), group), entries(after, operator.id(), group), byState);
            }
            byState.forEach((state, sums) -> diffs.add(diff(operator.name(), state, sums)));
        }
        progress.end();
        return diffs;
    }

    private static StateDiff diff(String operator, String state, Sums sums) {
        return new StateDiff(
                operator,
                state,
                sums.keysBefore,
                sums.keysAfter,
                sums.bytesBefore,
                sums.bytesAfter,
                sums.added,
                sums.removed,
                sums.changed,
                sums.grown);
    }

    private static Map<Address, Entry> entries(Snapshot snapshot, String id, int group) throws IOException {
        Map<Address, Entry> entries = new HashMap<>();
        for (SnapshotOperator operator : snapshot.operators()) {
            for (SubtaskPart each : operator.keyed()) {
                KeyedPart part = each.part();
                if (operator.id().equals(id) && part.keyGroupFrom() <= group && part.keyGroupTo() >= group) {
                    part.rows(new RowScope(null, group), row -> {
                        add(entries, row);
                        return true;
                    });
                }
            }
        }
        return entries;
    }

    private static void add(Map<Address, Entry> entries, StateRow row) {
        Address address = new Address(row.state().name(), ByteBuffer.wrap(row.key()), ByteBuffer.wrap(row.namespace()));
        Entry entry = entries.computeIfAbsent(address, any -> new Entry(row));
        entry.bytes += row.keyBytes() + (long) row.value().length;
        // A sum, as the order in which a backend has the entries of a map is its own; of mixed hashes, as what one
        // entry of a map gains and another loses must not cancel out.
        entry.hash += Hash.combine(row.mapKey() == null ? 0 : hash(row.mapKey()), hash(row.value()));
    }

    private static long hash(byte[] bytes) {
        return Hash.hash(bytes, 0, bytes.length, 0);
    }

    private static void compare(Map<Address, Entry> old, Map<Address, Entry> young, Map<String, Sums> byState) {
        RowDecoder decoder = new RowDecoder();
        old.forEach((address, entry) -> {
            Sums sums = byState.computeIfAbsent(address.state(), any -> new Sums());
            sums.keysBefore++;
            sums.bytesBefore += entry.bytes;
            sums.removed += young.containsKey(address) ? 0 : 1;
        });
        young.forEach((address, entry) -> {
            Sums sums = byState.computeIfAbsent(address.state(), any -> new Sums());
            Entry other = old.get(address);
            sums.keysAfter++;
            sums.bytesAfter += entry.bytes;
            sums.added += other == null ? 1 : 0;
            sums.changed += other != null && (other.bytes != entry.bytes || other.hash != entry.hash) ? 1 : 0;
            long bytesBefore = other == null ? 0 : other.bytes;
            if (entry.bytes > bytesBefore && entry.first.state().form() != StateForm.TIMERS) {
                grow(sums.grown, decoder, entry, bytesBefore);
            }
        });
    }

    private static void grow(List<Grown> grown, RowDecoder decoder, Entry entry, long bytesBefore) {
        long growth = entry.bytes - bytesBefore;
        boolean isAmong = grown.size() < GROWN_MAX
                || growth
                        > grown.get(GROWN_MAX - 1).bytesAfter()
                                - grown.get(GROWN_MAX - 1).bytesBefore();
        if (isAmong) {
            grown.add(new Grown(decoder.key(entry.first), bytesBefore, entry.bytes));
            grown.sort(Comparator.comparingLong((Grown each) -> each.bytesBefore() - each.bytesAfter()));
            if (grown.size() > GROWN_MAX) {
                grown.remove(GROWN_MAX);
            }
        }
    }
}
