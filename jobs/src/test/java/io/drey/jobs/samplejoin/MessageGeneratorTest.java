package io.drey.jobs.samplejoin;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageGeneratorTest {
    private static final int ALIVE = 1_000;
    private static final int EVENTS = 4 * ALIVE * MessageGenerator.MESSAGES;

    @ParameterizedTest
    @EnumSource(KeySkew.class)
    void asManySamplesAreOpenAsAskedForAndCompleteOnesAreAlike(KeySkew keys) {
        LoadSettings settings = new LoadSettings(3, ALIVE, keys, 16, 16, false);
        MessageGenerator generator = new MessageGenerator(settings);
        Map<Long, Sample> open = new HashMap<>();
        long emitted = 0;
        long bytes = 0;
        for (long position = 0; position < EVENTS; position++) {
            long closedMs = EventTime.of(position) - MessageGenerator.windowMs(settings);
            if (position >= ALIVE && position % MessageGenerator.MESSAGES == 0) {
                for (Sample sample : open.values()) {
                    if (sample.requestedMs <= closedMs) {
                        emitted++;
                        bytes += sample.context.length + sample.features.length + sample.actions.length;
                    }
                }
                open.values().removeIf(sample -> sample.requestedMs <= closedMs);
                assertThat(open.size()).isBetween(ALIVE - 1, ALIVE + 1);
            }
            Message message = generator.event(position);
            assertThat(message.requestedMs).isGreaterThan(closedMs);
            Sample sample = open.get(message.sample);
            assertThat(sample == null).isEqualTo(message.kind == Message.REQUEST);
            open.computeIfAbsent(message.sample, key -> new Sample()).collect(message);
        }
        assertThat(emitted).isCloseTo(EVENTS / MessageGenerator.MESSAGES, Percentage.withPercentage(3));
        assertThat(bytes / emitted).isCloseTo(700L, Percentage.withPercentage(4));
    }
}
