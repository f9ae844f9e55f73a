package io.drey.files.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order the background brings what is expected. */
final class ExpectedRangesTest extends FarRestore {
    /** Each is a round trip that somebody waits for. */
    @Test
    void whatIsExpectedOfManyFilesIsFetchedAtOnceAndTheRestByAsManyThreadsAsBefore() throws IOException {
        streamsMax = 6;
        try (Downloads more =
                new Downloads(new Downloads.Limits(RANGE, streamsMax, 3, 1), System::nanoTime, listener)) {
            for (String name : List.of("a", "b", "c", "d")) {
                far.put(name, new byte[40 * RANGE]);
                local.add(more, far.file(name), FileChecksum.NONE);
            }
            expect("b", 20);
            more.begin(steps::add, 1);
            assertThat(steps).hasSize(3);
            expect("c", 20);
            expect("d", 20);
            assertThat(steps).hasSize(3);
            run(3);
            assertThat(far.bytesRead.get()).isEqualTo(6L * RANGE);
            run(3);
            assertThat(steps).hasSize(1);
            expect("c", 37);
            expect("d", 37);
            assertThat(steps).hasSize(3);
            runAll();
            assertThat(told).containsExactly("whole");
        }
    }

    /** Indexes of all files are expected from the first; then a table is that somebody is about to read. */
    @Test
    void whatWasSaidLastComesFirstOfEachFile() throws IOException {
        for (String name : List.of("a", "b")) {
            put(name, 40 * RANGE);
        }
        expect("a", 30);
        expect("b", 30);
        downloads.begin(steps::add, 1);
        expect("a", 5);
        expect("b", 5);
        run(2);
        assertThat(far.bytesRead.get()).isEqualTo(4L * RANGE);
        for (String name : List.of("a", "b")) {
            read(name, 5L * RANGE, 2 * RANGE);
        }
        assertThat(downloads.rangesRead()).isZero();
        runAll();
        assertThat(told).containsExactly("whole");
    }

    /** A restored queue of timers waits for blocks and filters of each file, and not for any index as a whole. */
    @Test
    void whatWasSaidLastComesBeforeTheRestOfAllThatIsLong() throws IOException {
        for (String name : List.of("a", "b")) {
            put(name, 60 * RANGE);
            expect(name, 20, 40);
        }
        for (String name : List.of("a", "b")) {
            expect(name, 2);
            expect(name, 9);
        }
        downloads.begin(steps::add, 1);
        assertThat(steps).hasSize(1);
        run(4);
        assertThat(far.bytesRead.get()).isEqualTo(8L * RANGE);
        for (String name : List.of("a", "b")) {
            read(name, 2L * RANGE, 2 * RANGE);
            read(name, 9L * RANGE, 2 * RANGE);
        }
        assertThat(downloads.rangesRead()).isZero();
        runAll();
        assertThat(told).containsExactly("whole");
    }

    /** Many threads would only keep the line busy, in which others wait for what they read now. */
    @Test
    void theRestOfWhatIsLongComesByAsManyThreadsAsTheRestOfFiles() throws IOException {
        streamsMax = 6;
        try (Downloads more =
                new Downloads(new Downloads.Limits(RANGE, streamsMax, 3, 1), System::nanoTime, listener)) {
            for (String name : List.of("a", "b", "c")) {
                far.put(name, new byte[60 * RANGE]);
                local.add(more, far.file(name), FileChecksum.NONE);
                expect(name, 0, 50);
            }
            more.begin(steps::add, 1);
            assertThat(steps).hasSize(3);
            run(5);
            assertThat(steps).hasSize(1);
            runAll();
            assertThat(told).containsExactly("whole");
        }
    }

    @Test
    void whatIsExpectedComesBeforeTheRest() throws IOException {
        put("a", BYTES);
        byte[] bytes = put("b", 2 * BYTES);
        downloads.begin(steps::add, 1);
        try (ReadableFile file = local.open("b")) {
            file.expect(2L * RANGE + 1, RANGE);
            file.expect(2L * BYTES - 1, RANGE);
        }
        run(2);
        assertThat(far.bytesRead.get()).isEqualTo(2L * RANGE + 2L * BYTES % RANGE);
        assertThat(read("b", 2L * RANGE + 1, RANGE)).isEqualTo(Arrays.copyOfRange(bytes, 2 * RANGE + 1, 3 * RANGE + 1));
        assertThat(read("b", 2L * BYTES - 1, 1)).isEqualTo(Arrays.copyOfRange(bytes, 2 * BYTES - 1, 2 * BYTES));
        assertThat(downloads.rangesRead()).isZero();
        runAll();
        assertThat(told).containsExactly("whole");
        assertThat(far.bytesRead.get()).isEqualTo(3L * BYTES);
    }
}
