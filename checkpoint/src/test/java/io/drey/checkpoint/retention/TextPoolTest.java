package io.drey.checkpoint.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Sets of texts that are much alike. */
class TextPoolTest {
    private final TextPool pool = new TextPool();

    @Test
    void aSetHasItsTextsAndNoOthers() {
        Random random = new Random(7);
        List<Set<String>> given = new ArrayList<>();
        List<Set<String>> kept = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Set<String> some = new HashSet<>();
            for (int n = random.nextInt(50); n > 0; n--) {
                some.add("text " + (i + random.nextInt(100)));
            }
            given.add(some);
            kept.add(pool.set(some));
        }
        for (int i = 0; i < given.size(); i++) {
            assertThat(kept.get(i)).isEqualTo(given.get(i)).hasSameHashCodeAs(given.get(i));
            assertThat(kept.get(i).contains("text " + i)).isEqualTo(given.get(i).contains("text " + i));
        }
        assertThat(pool.set(Set.of())).isEmpty();
        assertThat(kept.get(1).contains("nix")).isFalse();
    }
}
