package io.drey.jobs.listbuffer;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeyDraw;
import io.drey.jobs.generate.LoadSettings;

/** Elements of random keys; a list has twenty on average when it is read. */
final class ElementGenerator implements EventGenerator<BufferedElement> {
    private static final long serialVersionUID = 1L;

    private static final int PER_LIST = 20;
    private static final int VALUE = 1;

    private final long seed;
    private final KeyDraw keys;

    ElementGenerator(LoadSettings settings) {
        seed = settings.seed();
        keys = new KeyDraw(seed, settings.keys(), Math.max(1, windowMs(settings) / PER_LIST));
    }

    /** An element stays half a window on average, so that half of a window's elements are alive. */
    static long windowMs(LoadSettings settings) {
        return 2 * settings.alive();
    }

    @Override
    public BufferedElement event(long position) {
        BufferedElement element = new BufferedElement();
        element.key = Draw.mix(seed + keys.key(position));
        element.happenedMs = EventTime.of(position);
        element.value = Draw.bits(seed, position, VALUE);
        return element;
    }
}
