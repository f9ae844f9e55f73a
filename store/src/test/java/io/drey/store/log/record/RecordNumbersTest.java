package io.drey.store.log.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Arena;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordNumbersTest {
    private static final long BASE = 0x7f12_3456_7000L;

    /** At the boundary of what an arena of pages of that size may be; nothing of it is touched. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20})
    void theFirstAndTheLastRecordOfTheLargestMemoryHaveNumbersOfTheirOwn(int pageBytes) {
        int unitBytes = Math.max(8, pageBytes >> 13);
        long bytes = Arena.bytesMax(pageBytes);
        RecordNumbers numbers = new RecordNumbers(BASE, unitBytes);
        long first = BASE + LogPages.HEADER;
        assertThat(numbers.number(first)).isEqualTo(1);
        assertThat(numbers.address(1)).isEqualTo(first);

        long lastPage = BASE + bytes - pageBytes;
        int room = (pageBytes - LogPages.HEADER) / unitBytes * unitBytes;
        long last = lastPage + LogPages.HEADER + room - unitBytes;
        assertThat(numbers.number(last)).isNotZero();
        assertThat(numbers.address(numbers.number(last))).isEqualTo(last);
        assertThat(numbers.number(last) & 0xffffffffL).isGreaterThan((1L << 32) - pageBytes);
    }
}
