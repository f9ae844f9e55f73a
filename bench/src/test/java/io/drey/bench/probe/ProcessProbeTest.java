package io.drey.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.ProcessSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looks at this very process. */
class ProcessProbeTest {
    private static final int ALLOCATED_BYTES = 10 << 20;

    @TempDir
    private Path directory;

    @Test
    void aSampleHasWhatThisProcessDid() throws IOException {
        try (ProcessProbe probe = new ProcessProbe(directory, directory, null)) {
            ProcessSample first = probe.sample(false, 100, null);
            Files.write(directory.resolve("state"), new byte[1000]);
            List<byte[]> garbage = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                garbage.add(new byte[ALLOCATED_BYTES / 10]);
            }
            ProcessSample second = probe.sample(true, 350, null);

            assertThat(first.events()).isEqualTo(100);
            assertThat(second.events()).isEqualTo(250);
            assertThat(second.measured()).isTrue();
            assertThat(second.second()).isGreaterThan(first.second());
            assertThat(second.length()).isPositive().isLessThanOrEqualTo(second.second());
            assertThat(second.allocatedBytes()).isGreaterThanOrEqualTo(ALLOCATED_BYTES);
            assertThat(second.heapBytes()).isPositive();
            assertThat(second.device()).isNull();
            assertThat(garbage).hasSize(10);
        }
    }

    @Test
    void aCollectionOfGarbageIsAPause() {
        try (ProcessProbe probe = new ProcessProbe(directory, directory, null)) {
            List<CellResult.Pause> pauses = List.of();
            // Told by another thread, some time after the collection; a collector may also ignore the wish.
            for (int i = 0; i < 1000 && pauses.isEmpty(); i++) {
                System.gc();
                pauses = probe.pauses();
            }

            assertThat(pauses).isNotEmpty();
            assertThat(pauses.get(0).second()).isBetween(0.0, probe.second());
            assertThat(pauses.get(0).millis()).isNotNegative();
            assertThat(pauses.get(0).collector()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "G1 Young Generation, true",
        "G1 Old Generation, true",
        "PS MarkSweep, true",
        "ZGC Pauses, true",
        "ZGC Cycles, false",
        "Shenandoah Cycles, false",
        "G1 Concurrent GC, false"
    })
    void whatRunsBesideTheApplicationIsNoPause(String collector, boolean pauses) {
        assertThat(Pauses.pauses(collector)).isEqualTo(pauses);
    }
}
