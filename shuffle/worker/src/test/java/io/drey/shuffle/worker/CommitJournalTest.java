package io.drey.shuffle.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.file.CommitJournal;
import io.drey.shuffle.worker.file.JournalRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a journal gives back of its records when some of its bytes are others, or are not there. */
final class CommitJournalTest {
    private static final int RECORDS = 5;

    @TempDir
    Path directory;

    private FailingDisk disk;
    private Path path;

    /** Where records end. */
    private final List<Integer> ends = new ArrayList<>(List.of(8));

    private byte[] whole;

    private static JournalRecord record(int number, int regions) {
        PartitionKey key = new PartitionKey("job", "exchange", number, 1);
        long[] places = new long[4 * regions];
        for (int i = 0; i < regions; i++) {
            places[4 * i] = i;
            places[4 * i + 3] = 1_000;
        }
        return JournalRecord.committed(1, key, WriteAndReadTest.manifest(new UUID(1, 2), regions, 3), places);
    }

    @BeforeEach
    void write() throws IOException {
        disk = new FailingDisk(directory, 1L << 40);
        path = directory.resolve("job").resolve(CommitJournal.NAME);
        try (CommitJournal journal = CommitJournal.create(disk, path)) {
            for (int i = 0; i < RECORDS; i++) {
                journal.append(List.of(record(i, 2)));
                ends.add((int) Files.size(path));
            }
        }
        whole = Files.readAllBytes(path);
    }

    /** The numbers of the records that are found; then another one is appended. */
    private List<Integer> openAndAppend() throws IOException {
        List<Integer> found = new ArrayList<>();
        try (CommitJournal journal = CommitJournal.open(disk, path, each -> {
            assertThat(each.key()).isNotNull();
            found.add(each.key().partition());
        })) {
            journal.append(List.of(record(RECORDS, 2)));
        }
        return found;
    }

    @Test
    void aFlippedBitCostsItsRecordAndNoneBehindIt() throws Exception {
        for (int at = ends.get(2); at < ends.get(3); at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << (at % 8));
            Files.write(path, flipped);
            assertThat(openAndAppend()).as("byte %d", at).containsExactly(0, 1, 3, 4);
            assertThat(openAndAppend()).as("byte %d", at).containsExactly(0, 1, 3, 4, 5);
        }
    }

    @Test
    void aTornEndIsCutAtEveryByte() throws Exception {
        for (int length = ends.get(2); length < ends.get(3); length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            assertThat(openAndAppend()).containsExactly(0, 1);
            assertThat(path).hasSize(ends.get(3));
            assertThat(openAndAppend()).containsExactly(0, 1, 5);
        }
    }

    /** As a file system leaves them behind what it had written when the machine went down. */
    @Test
    void zerosBehindTheLastRecordAreNoRecords() throws Exception {
        Files.write(path, Arrays.copyOf(whole, whole.length + 100));
        assertThat(openAndAppend()).containsExactly(0, 1, 2, 3, 4);
        assertThat(path).hasSize(whole.length + ends.get(5) - ends.get(4));
        assertThat(openAndAppend()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void aLongJournalIsReadInParts() throws Exception {
        int more = 300;
        try (CommitJournal journal = CommitJournal.open(disk, path, each -> {})) {
            for (int i = 0; i < more; i++) {
                journal.append(List.of(record(RECORDS + i, i % 100 == 99 ? 60_000 : 200)));
            }
        }
        disk.resetCounts();
        assertThat(openAndAppend()).hasSize(RECORDS + more);
        assertThat(disk.largestRead()).isLessThan(Files.size(path) / 2);
        assertThat(disk.reads()).isLessThan(more);
    }
}
