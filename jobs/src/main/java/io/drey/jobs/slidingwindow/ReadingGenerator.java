package io.drey.jobs.slidingwindow;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.KeyDraw;
import io.drey.jobs.generate.LoadSettings;

/** Every sensor once, then random ones; in each slide of a window as many readings as there are sensors. */
final class ReadingGenerator implements EventGenerator<Reading> {
    private static final long serialVersionUID = 1L;

    private static final int VALUE = 1;
    private static final int VALUE_BOUND = 1 << 20;

    private final long seed;
    private final KeyDraw sensors;

    ReadingGenerator(LoadSettings settings) {
        seed = settings.seed();
        sensors = new KeyDraw(seed, settings.keys(), sensors(settings));
    }

    /**
     * How many sensors there are. Of the windows that are open, one that began k slides ago has a pane of 1 - e^-k of
     * the sensors, if they are equally frequent: that is one short of the number of windows for each.
     */
    static long sensors(LoadSettings settings) {
        return settings.alive() / (SlidingWindowLoad.PANES - 1);
    }

    @Override
    public Reading event(long position) {
        Reading reading = new Reading();
        reading.sensor = Draw.mix(seed + (position < sensors.keys() ? position : sensors.key(position)));
        reading.value = Draw.below(Draw.bits(seed, position, VALUE), VALUE_BOUND);
        return reading;
    }
}
