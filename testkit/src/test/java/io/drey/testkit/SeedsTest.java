package io.drey.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SeedsTest {
    private static List<Long> seedsOf(Seeds seeds, int count) {
        List<Long> ran = new ArrayList<>();
        seeds.run((index, done) -> index < count, seed -> {
            ran.add(seed);
            return 1;
        });
        return ran;
    }

    @Test
    void runsAsManyDifferentSeedsAsAskedFor() {
        Set<Long> seeds = new LinkedHashSet<>();
        Seeds.cases(100, seeds::add);
        assertThat((long) seeds.size()).isEqualTo(Effort.seeded(100));
    }

    @Test
    void theSeedsFollowFromTheTest() {
        List<Long> first = seedsOf(new Seeds(SeedsTest.class, "a", "", Effort.VERIFY), 5);
        assertThat(seedsOf(new Seeds(SeedsTest.class, "a", "", Effort.VERIFY), 5))
                .isEqualTo(first);
        assertThat(seedsOf(new Seeds(SeedsTest.class, "b", "", Effort.VERIFY), 5))
                .doesNotContainAnyElementsOf(first);
        assertThat(seedsOf(new Seeds(SeedsTest.class, "a", "random", Effort.VERIFY), 5))
                .doesNotContainAnyElementsOf(first);
        assertThat(seedsOf(new Seeds(SeedsTest.class, "a", "", Effort.NIGHTLY), 5))
                .doesNotContainAnyElementsOf(first);
    }

    @Test
    void repeatsOneSeed() {
        assertThat(seedsOf(new Seeds(SeedsTest.class, "a", "-42", Effort.VERIFY), 5))
                .containsExactly(-42L);
    }

    @Test
    void runsUntilTheOperationsAreDone() {
        long wanted = Effort.seeded(100);
        assertThat(Seeds.operations(100, seed -> 30)).isBetween(wanted, wanted + 29);
        assertThatThrownBy(() -> Seeds.operations(100, seed -> 0)).hasMessageContaining("it would run for ever");
    }

    @Test
    void runsAtLeastOneCaseInNoTime() {
        List<Long> ran = new ArrayList<>();
        Seeds.time(Duration.ZERO, ran::add);
        assertThat(ran).hasSize(1);
        long start = System.nanoTime();
        Seeds.time(Duration.ofMillis(20), seed -> {});
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    }

    @Test
    void aFailureSaysItsSeedAndTheCommandThatRepeatsIt() {
        List<Long> ran = new ArrayList<>();
        assertThatThrownBy(() -> failAtThird(ran))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("case 2 of SeedsTest#failAtThird failed with seed ")
                .hasMessageContaining("three is too much")
                .hasMessageContaining("mvn test -pl testkit -am -Dtest='SeedsTest#failAtThird'")
                .hasMessageEndingWith("-Ddrey.seed=" + third())
                .hasCauseInstanceOf(IOException.class);
    }

    private static void failAtThird(List<Long> ran) {
        Seeds.cases(5, seed -> {
            ran.add(seed);
            if (ran.size() == 3) {
                throw new IOException("three is too much");
            }
        });
    }

    /** The seed of the third case of {@link #failAtThird}. */
    private static long third() {
        return seedsOf(new Seeds(SeedsTest.class, "failAtThird", "", Effort.VERIFY), 3)
                .get(2);
    }

    @Test
    void findsTheModuleBelowTheRoot(@TempDir Path outside) throws IOException {
        Path root = Files.createDirectories(outside.resolve("project"));
        Path nested = Files.createDirectories(root.resolve("flink/state"));
        Files.createFile(root.resolve("pom.xml"));
        Files.createFile(nested.resolve("pom.xml"));
        assertThat(RepeatCommand.module(nested))
                .isEqualTo(Path.of("flink", "state").toString());
        assertThat(RepeatCommand.module(root)).isEqualTo(".");
    }
}
