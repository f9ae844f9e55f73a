package io.drey.jobs.deduplicate;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DuplicateGeneratorTest {
    private static final int ALIVE = 1_000;

    @ParameterizedTest
    @EnumSource(KeySkew.class)
    void afterTheFillOneEventInSixteenBringsAKeyUntilThereAreTwiceAsMany(KeySkew keys) {
        LoadSettings settings = new LoadSettings(3, ALIVE, keys, 100, 100, false);
        DuplicateGenerator generator = new DuplicateGenerator(settings);
        Set<Long> known = new HashSet<>();
        long fill = DeduplicateLoad.fillEvents(settings);
        for (long position = 0; position < fill; position++) {
            known.add(generator.event(position).getFieldAs(DuplicateGenerator.KEY));
        }
        assertThat(known).hasSize(ALIVE);
        for (long after = 0; after < 20 * ALIVE; after++) {
            boolean isNew = known.add(generator.event(fill + after).getFieldAs(DuplicateGenerator.KEY));
            assertThat(isNew).isEqualTo(after % 16 == 0 && after < 16 * ALIVE);
        }
        assertThat(known).hasSize(2 * ALIVE);
    }
}
