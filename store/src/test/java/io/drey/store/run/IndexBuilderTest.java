package io.drey.store.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import org.junit.jupiter.api.Test;

/** Indexes of runs as large as can be. */
class IndexBuilderTest {
    @Test
    void aRunOfATerabyteIsRefusedWithAdvice() {
        try (TestRuns runs = new TestRuns();
                IndexBuilder index = new IndexBuilder(1, 4096, runs.memory())) {
            index.addBlock(1, 0);
            index.addBlock(2, RunLayout.RUN_BYTES_MAX - 1);
            assertThat(index.blocks()).isEqualTo(2);
            assertThatThrownBy(() -> index.addBlock(3, RunLayout.RUN_BYTES_MAX))
                    .isInstanceOf(DreyException.class)
                    .hasMessage("expected a run of less than 1099511627776 bytes, found 1099511627776: run the job with"
                            + " more parallelism");
        }
    }
}
