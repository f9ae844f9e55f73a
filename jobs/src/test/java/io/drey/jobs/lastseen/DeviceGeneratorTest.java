package io.drey.jobs.lastseen;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.util.HashSet;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class DeviceGeneratorTest {
    private static final int EVENTS = 20_000;

    private final LoadSettings settings = new LoadSettings(5, 50_000, KeySkew.UNIFORM, 16, 16, false);
    private final DeviceGenerator generator = new DeviceGenerator(settings);

    @Test
    void theFillingRegistersEveryDeviceOnce() {
        Set<Long> devices = new HashSet<>();
        long fill = LastSeenLoad.fillEvents(settings);
        for (long position = 0; position < fill; position++) {
            DeviceEvent event = generator.event(position);
            assertThat(event.type).isEqualTo(DeviceEvent.REGISTRATION);
            devices.add(event.device);
        }
        assertThat(devices.size() * (long) LastSeenLoad.TYPES).isEqualTo(settings.alive());
        for (long position = fill; position < fill + EVENTS; position++) {
            DeviceEvent event = generator.event(position);
            assertThat(devices).contains(event.device);
            assertThat(event.type).isBetween(0, LastSeenLoad.TYPES - 1);
        }
    }

    @Test
    void oneInEightIsDelayed() {
        long fill = LastSeenLoad.fillEvents(settings);
        int delayed = 0;
        for (long position = fill; position < fill + EVENTS; position++) {
            long delay = EventTime.of(position) - generator.event(position).happenedMs;
            assertThat(delay).isBetween(0L, 2 * settings.alive());
            delayed += delay > 0 ? 1 : 0;
        }
        assertThat(delayed).isCloseTo(EVENTS / 8, Percentage.withPercentage(5));
    }
}
