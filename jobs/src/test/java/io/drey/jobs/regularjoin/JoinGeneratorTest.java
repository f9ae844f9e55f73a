package io.drey.jobs.regularjoin;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class JoinGeneratorTest {
    private static final int ALIVE = 1_000;
    private static final int EVENTS = 20_000;
    private static final LoadSettings SETTINGS = new LoadSettings(5, ALIVE, KeySkew.UNIFORM, 20, 40, false);

    private final JoinGenerator generator = new JoinGenerator(SETTINGS);

    @Test
    void everyRowIsRetractedAsItWasInsertedAndTheSizeIsSteady() {
        Map<Long, Row> alive = new HashMap<>();
        for (long position = 0; position < EVENTS; position++) {
            Row change = generator.event(position);
            Row same = Row.copy(change);
            same.setKind(RowKind.INSERT);
            if (change.getKind() == RowKind.INSERT) {
                assertThat(alive.put(number(change), same)).isNull();
            } else {
                assertThat(alive.remove(number(change))).isEqualTo(same);
            }
            if (position >= RegularJoinLoad.fillEvents(SETTINGS)) {
                assertThat(alive.size()).isBetween(ALIVE, ALIVE + 1);
            }
        }
    }

    @Test
    void aKeyHasAboutOneRowOnEachSide() {
        Map<Long, Integer> left = new HashMap<>();
        Map<Long, Integer> right = new HashMap<>();
        int rows = 0;
        for (long position = 0; position < EVENTS; position++) {
            Row change = generator.event(position);
            if (change.getKind() == RowKind.INSERT) {
                (change.<Boolean>getFieldAs(JoinGenerator.LEFT) ? left : right).merge(key(change), 1, Integer::sum);
                rows++;
            }
        }
        int pairs = 0;
        for (Map.Entry<Long, Integer> rowsOfKey : left.entrySet()) {
            pairs += rowsOfKey.getValue() * right.getOrDefault(rowsOfKey.getKey(), 0);
        }
        assertThat(2 * pairs).isCloseTo(rows, Percentage.withPercentage(10));
    }

    @Test
    void pairsAppearWithTheLaterRowAndDisappearWithTheEarlierLongAfter() {
        Map<Long, List<Row>> byKey = new HashMap<>();
        Map<Long, Long> insertedAt = new HashMap<>();
        for (long position = 0; position < EVENTS; position++) {
            Row change = generator.event(position);
            List<Row> sameKey = byKey.computeIfAbsent(key(change), key -> new ArrayList<>());
            boolean inserts = change.getKind() == RowKind.INSERT;
            if (inserts) {
                insertedAt.put(number(change), position);
            } else {
                sameKey.removeIf(row -> number(row) == number(change));
            }
            for (Row other : sameKey) {
                long timeMs = inserts
                        ? generator.appearsMs(number(change), number(other))
                        : generator.disappearsMs(number(other), number(change));
                assertThat(timeMs).isEqualTo(EventTime.of(position));
                if (!inserts) {
                    assertThat(position - insertedAt.get(number(other)))
                            .isGreaterThanOrEqualTo(JoinGenerator.slackEvents(SETTINGS));
                }
            }
            if (inserts) {
                sameKey.add(change);
            }
        }
    }

    private static long number(Row change) {
        return change.getFieldAs(JoinGenerator.NUMBER);
    }

    private static long key(Row change) {
        return change.getFieldAs(JoinGenerator.KEY);
    }
}
