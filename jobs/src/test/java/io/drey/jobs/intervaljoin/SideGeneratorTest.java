package io.drey.jobs.intervaljoin;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SideGeneratorTest {
    private static final int ALIVE = 1_000;
    private static final int EVENTS = 50_000;

    @ParameterizedTest
    @EnumSource(KeySkew.class)
    void aboutOneInTenFindsAPartner(KeySkew keys) {
        SideGenerator generator = new SideGenerator(new LoadSettings(3, ALIVE, keys, 100, 400, false));
        Map<Long, Long> left = new HashMap<>();
        Map<Long, Long> right = new HashMap<>();
        int found = 0;
        for (long position = 0; position < EVENTS; position++) {
            SideRow row = generator.event(position);
            Long partner = (row.left ? right : left).get(row.key);
            found += partner != null && position - partner <= ALIVE ? 1 : 0;
            (row.left ? left : right).put(row.key, position);
            assertThat(row.payload).hasSizeBetween(100, 400);
        }
        assertThat(found).isCloseTo(EVENTS / 10, Percentage.withPercentage(7));
        assertThat(left.size() + right.size()).isCloseTo(EVENTS, Percentage.withPercentage(2));
    }
}
