package io.drey.flink.state.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownOptionsTest {
    @Test
    void aMistypedOptionIsNamedWithTheNearest() {
        assertThat(UnknownOptions.sentences(List.of(
                        "state.backend.type",
                        "state.backend.drey.object-cache.entries",
                        "state.backend.drey.localdir",
                        "state.backend.drey.memory.fixed-per-slots")))
                .containsExactly(
                        "There is no option state.backend.drey.localdir, it does nothing; the nearest is"
                                + " state.backend.drey.local-dir.",
                        "There is no option state.backend.drey.memory.fixed-per-slots, it does nothing; the nearest is"
                                + " state.backend.drey.memory.fixed-per-slot.");
    }

    @Test
    void editsAreCounted() {
        assertThat(UnknownOptions.edits("kitten", "sitting")).isEqualTo(3);
        assertThat(UnknownOptions.edits("", "abc")).isEqualTo(3);
        assertThat(UnknownOptions.edits("same", "same")).isZero();
    }
}
