package io.drey.checkpoint.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.restore.RescalePlan.Part;
import io.drey.foundation.DreyException;
import io.drey.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class RescalePlanTest {
    private static Manifest parent(int from, int to) {
        return new Manifest(new UUID(from, to), 1, from, to, List.of(), new TreeMap<>());
    }

    @Test
    void takesTheParentWhenNothingChanged() {
        RescalePlan cut = RescalePlan.of(16, 31, List.of(parent(16, 31)));
        assertThat(cut.parts()).containsExactly(new Part(0, 16, 31));
    }

    @Test
    void clipsAndOrdersParents() {
        RescalePlan cut = RescalePlan.of(10, 25, List.of(parent(20, 29), parent(30, 39), parent(0, 9), parent(10, 19)));
        assertThat(cut.parts()).containsExactly(new Part(3, 10, 19), new Part(0, 20, 25));
    }

    @Test
    void leavesOutWhatNoParentHas() {
        RescalePlan cut = RescalePlan.of(0, 9, List.of(parent(1, 2), parent(5, 6)));
        assertThat(cut.parts()).containsExactly(new Part(0, 1, 2), new Part(1, 5, 6));
        assertThat(RescalePlan.of(3, 3, List.of()).parts()).isEmpty();
    }

    @Test
    void refusesOverlaps() {
        assertThatThrownBy(() -> RescalePlan.of(0, 9, List.of(parent(0, 5), parent(5, 9))))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining("expected each key group in one checkpoint, found 5 in two");
        assertThat(RescalePlan.of(0, 4, List.of(parent(0, 5), parent(5, 9))).parts())
                .containsExactly(new Part(0, 0, 4));
        assertThatThrownBy(() -> RescalePlan.of(2, 1, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    private static Manifest parent(int from, int to, int generation) {
        return new Manifest(
                new UUID(from, to),
                1,
                from,
                to,
                List.of(),
                new TreeMap<>(Map.of(Manifest.GENERATION, Manifest.generation(generation))));
    }

    @Test
    void theLaterGenerationGivesWhatTwoHave() {
        RescalePlan half = RescalePlan.of(0, 9, List.of(parent(0, 4, 1), parent(0, 9)));
        assertThat(half.parts()).containsExactly(new Part(0, 0, 4), new Part(1, 5, 9));
        RescalePlan middle = RescalePlan.of(0, 9, List.of(parent(0, 9, 1), parent(3, 5, 3), parent(4, 7, 2)));
        assertThat(middle.parts())
                .containsExactly(new Part(0, 0, 2), new Part(1, 3, 5), new Part(2, 6, 7), new Part(0, 8, 9));
        assertThatThrownBy(() -> RescalePlan.of(0, 9, List.of(parent(0, 5, 2), parent(5, 9, 2))))
                .isInstanceOf(DreyException.class);
    }

    @Test
    void countsACheckpointThatIsGivenTwiceOnce() {
        Manifest all = parent(0, 9);
        assertThat(RescalePlan.of(0, 9, List.of(all, parent(0, 9))).parts()).containsExactly(new Part(0, 0, 9));
        assertThatThrownBy(() -> RescalePlan.of(0, 9, List.of(all, parent(5, 9))))
                .isInstanceOf(DreyException.class);
    }

    /** From any parallelism to any other, every key group comes from the parent that has it, once. */
    @Test
    void everyKeyGroupComesFromItsParent() {
        Seeds.cases(300, seed -> {
            Random random = new Random(seed);
            int keyGroups = 1 + random.nextInt(128);
            List<Manifest> parents = ranges(keyGroups, 1 + random.nextInt(Math.min(keyGroups, 16)));
            Collections.shuffle(parents, random);
            List<Integer> seen = new ArrayList<>();
            for (Manifest child : ranges(keyGroups, 1 + random.nextInt(Math.min(keyGroups, 16)))) {
                RescalePlan cut = RescalePlan.of(child.keyGroupFrom(), child.keyGroupTo(), parents);
                for (Part part : cut.parts()) {
                    Manifest parent = parents.get(part.parent());
                    for (int group = part.keyGroupFrom(); group <= part.keyGroupTo(); group++) {
                        assertThat(group).isBetween(parent.keyGroupFrom(), parent.keyGroupTo());
                        assertThat(group).isBetween(child.keyGroupFrom(), child.keyGroupTo());
                        seen.add(group);
                    }
                }
            }
            assertThat(seen).hasSize(keyGroups).doesNotHaveDuplicates().isSorted();
        });
    }

    private static List<Manifest> ranges(int keyGroups, int parallelism) {
        List<Manifest> ranges = new ArrayList<>();
        for (int i = 0; i < parallelism; i++) {
            int from = (i * keyGroups + parallelism - 1) / parallelism;
            int to = ((i + 1) * keyGroups - 1) / parallelism;
            ranges.add(parent(from, to));
        }
        return ranges;
    }
}
