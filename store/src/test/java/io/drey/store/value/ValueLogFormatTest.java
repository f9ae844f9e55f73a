package io.drey.store.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.WritableFile;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.foundation.FileVersionException;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.TickingClock;
import io.drey.store.file.FileId;
import io.drey.store.file.FileIds;
import io.drey.store.file.FileReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written is read again with one read each, and no damage goes unseen. */
class ValueLogFormatTest {
    private static final int TABLE = 3;

    private final MemoryDirectory directory = new MemoryDirectory();
    private final Arena arena = new Arena(1 << 20, 1024);
    private final Overdraft overdraft = new Overdraft(1L << 32);
    private final Scratch pointers = new Scratch(arena, overdraft);
    private final Random random = new Random(5);

    @AfterEach
    void everythingIsGivenBack() {
        pointers.close();
        arena.close();
        assertThat(overdraft.bytes()).isZero();
        assertThat(directory.openFiles()).isZero();
    }

    private List<byte[]> values() {
        List<byte[]> values = new ArrayList<>();
        for (int length : new int[] {0, 1, 7, 16, 17, 300, 2000}) {
            byte[] noise = new byte[length];
            random.nextBytes(noise);
            values.add(noise);
            byte[] zeros = new byte[length];
            Arrays.fill(zeros, (byte) 'x');
            values.add(zeros);
        }
        return values;
    }

    /** Writes values into as few logs as the sizes allow; the pointers stand one after another. */
    private List<FileId> write(List<byte[]> values, ValueLogSet.Sizes sizes) throws IOException {
        long at = pointers.reserve(values.size() * ValuePointer.BYTES);
        List<FileId> ids = new ArrayList<>();
        try (ValueLogSet logs = new ValueLogSet(directory, FileIds.RANDOM, sizes, arena, overdraft);
                Scratch value = new Scratch(arena, overdraft)) {
            for (int i = 0; i < values.size(); i++) {
                byte[] bytes = values.get(i);
                long address = value.reserve(Math.max(1, bytes.length));
                Memory.copy(bytes, 0, address, bytes.length);
                long pointer = at + (long) i * ValuePointer.BYTES;
                logs.add(TABLE, address, bytes.length, pointer);
                FileId id = new FileId(ValuePointer.idHigh(pointer), ValuePointer.idLow(pointer));
                if (!ids.contains(id)) {
                    ids.add(id);
                }
            }
            logs.finish();
            assertThat(logs.values()).isEqualTo(values.size());
            Map<Integer, Long> byTable = new HashMap<>();
            logs.tell(byTable::put);
            assertThat(byTable).isEqualTo(values.isEmpty() ? Map.of() : Map.of(TABLE, (long) values.size()));
        }
        return ids;
    }

    /** Opens the log and reads all values of it. */
    private List<byte[]> readAll(FileId id, int count) {
        ValueLogs logs = new ValueLogs(directory, arena, overdraft);
        FileReads reads = new FileReads();
        try (ValueLog log = logs.open(id);
                ValueReader reader = new ValueReader(reads, arena, overdraft)) {
            List<byte[]> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                reader.read(TABLE, log, pointers.address() + (long) i * ValuePointer.BYTES);
                byte[] value = new byte[reader.length()];
                Memory.copy(reader.address(), value, 0, value.length);
                values.add(value);
            }
            assertThat(reads.count()).isEqualTo(count);
            assertThat(reader.count(TABLE)).isEqualTo(count);
            return values;
        }
    }

    private static final ValueLogSet.Sizes ONE_LOG = new ValueLogSet.Sizes(100, 1 << 20, 256);

    @Test
    void valuesAreReadAsTheyWereWritten() throws IOException {
        List<byte[]> values = values();
        List<FileId> ids = write(values, ONE_LOG);
        assertThat(ids).hasSize(1);
        assertThat(readAll(ids.get(0), values.size()).toArray(new byte[0][]))
                .isDeepEqualTo(values.toArray(new byte[0][]));
    }

    /** The machine was moved meanwhile, or the disk hung: what reads cost would be wrong for months. */
    @Test
    void aReadInWhichTheProcessStoodStillIsNotWhatReadsCost() throws IOException {
        FileId id = write(List.of(new byte[300]), ONE_LOG).get(0);
        ValueLogs logs = new ValueLogs(directory, arena, overdraft);
        FileReads paused = new FileReads(new TickingClock(TimeUnit.HOURS.toNanos(1)));
        try (ValueLog log = logs.open(id);
                ValueReader reader = new ValueReader(paused, arena, overdraft)) {
            reader.read(TABLE, log, pointers.address());
            assertThat(reader.nanos()).isEqualTo(ValueReader.NANOS_MAX);
        }
    }

    @Test
    void aPointerHoldsTheHeadOfItsValue() throws IOException {
        List<byte[]> values = values();
        write(values, ONE_LOG);
        for (int i = 0; i < values.size(); i++) {
            byte[] head = new byte[ValuePointer.HEAD_BYTES];
            Memory.copy(pointers.address() + (long) i * ValuePointer.BYTES, head, 0, head.length);
            assertThat(head).isEqualTo(Arrays.copyOf(values.get(i), ValuePointer.HEAD_BYTES));
        }
    }

    @Test
    void aLargeLogIsFollowedByAnother() throws IOException {
        assertThat(write(values(), new ValueLogSet.Sizes(100, 500, 256))).hasSizeGreaterThan(2);
    }

    @Test
    void seesEachFlippedBit() throws IOException {
        List<byte[]> values = values();
        FileId id = write(values, ONE_LOG).get(0);
        byte[] bytes = directory.content(ValueLog.name(id));
        for (int bit = 0; bit < bytes.length * 8; bit += 1 + bit % 3) {
            byte[] damaged = bytes.clone();
            damaged[bit >>> 3] ^= (byte) (1 << (bit & 7));
            replace(id, damaged);
            assertThatThrownBy(() -> readAll(id, values.size()))
                    .as("bit %d", bit)
                    .isInstanceOfAny(CorruptFileException.class, FileVersionException.class);
        }
    }

    @Test
    void seesAFileThatEndsEarly() throws IOException {
        List<byte[]> values = values();
        FileId id = write(values, ONE_LOG).get(0);
        byte[] bytes = directory.content(ValueLog.name(id));
        for (int length = 0; length < bytes.length; length += 1 + length % 7) {
            replace(id, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> readAll(id, values.size()))
                    .as("length %d", length)
                    .isInstanceOf(CorruptFileException.class);
        }
    }

    @Test
    void aLogThatIsNotThereIsNamed() {
        ValueLogs logs = new ValueLogs(directory, arena, overdraft);
        assertThatThrownBy(() -> logs.open(new FileId(1, 2)))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining("00000000000000010000000000000002.values");
    }

    @Test
    void discardingLeavesNothing() throws IOException {
        ValueLogSet.Sizes logPerValue = new ValueLogSet.Sizes(1, 1, 256);
        try (ValueLogSet logs = new ValueLogSet(directory, FileIds.RANDOM, logPerValue, arena, overdraft)) {
            long pointer = pointers.reserve(ValuePointer.BYTES);
            logs.add(TABLE, pointer, 8, pointer);
            logs.add(TABLE, pointer, 8, pointer);
            assertThat(directory.list()).hasSize(2);
            logs.discard(new IOException("any"));
            assertThat(directory.list()).isEmpty();
        }
    }

    private void replace(FileId id, byte[] content) throws IOException {
        directory.delete(ValueLog.name(id));
        try (WritableFile file = directory.create(ValueLog.name(id))) {
            file.write(ByteBuffer.wrap(content));
        }
    }
}
