package io.drey.jobs.lastseen;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeyDraw;
import io.drey.jobs.generate.LoadSettings;

/** Every device is registered once, then events of random devices and types follow, one in eight of them delayed. */
final class DeviceGenerator implements EventGenerator<DeviceEvent> {
    private static final long serialVersionUID = 1L;

    private static final int DELAYED_ONE_IN = 8;
    private static final int TYPE = 1;
    private static final int DELAYED = 2;
    private static final int DELAY = 3;

    private final long seed;
    private final long delayMax;
    private final KeyDraw devices;

    DeviceGenerator(LoadSettings settings) {
        seed = settings.seed();
        devices = new KeyDraw(seed, settings.keys(), devices(settings));
        delayMax = 2 * settings.alive();
    }

    /** How many devices there are. */
    static long devices(LoadSettings settings) {
        return settings.alive() / LastSeenLoad.TYPES;
    }

    @Override
    public DeviceEvent event(long position) {
        DeviceEvent event = new DeviceEvent();
        if (position < devices.keys()) {
            event.device = id(position);
            event.type = DeviceEvent.REGISTRATION;
            event.happenedMs = EventTime.of(position);
            return event;
        }
        event.device = id(devices.key(position));
        event.type = (int) Draw.below(Draw.bits(seed, position, TYPE), LastSeenLoad.TYPES);
        event.happenedMs = EventTime.of(position) - delay(position);
        return event;
    }

    /** Distinct for distinct numbers, and without order. */
    private long id(long number) {
        return Draw.mix(seed + number);
    }

    private long delay(long position) {
        boolean delayed = Draw.below(Draw.bits(seed, position, DELAYED), DELAYED_ONE_IN) == 0;
        return delayed ? Draw.below(Draw.bits(seed, position, DELAY), delayMax) : 0;
    }
}
