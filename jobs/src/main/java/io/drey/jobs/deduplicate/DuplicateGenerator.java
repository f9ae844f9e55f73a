package io.drey.jobs.deduplicate;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.KeyDraw;
import io.drey.jobs.generate.LoadSettings;
import org.apache.flink.types.Row;

/**
 * {@code alive} new keys, then one new key in {@link #NEW_ONE_IN} events until there are {@link #KEYS_PER_ALIVE} times
 * as many; all other events repeat a key that was there before. Then all events do.
 */
final class DuplicateGenerator implements EventGenerator<Row> {
    private static final long serialVersionUID = 1L;

    /** Fields of an event. */
    static final int KEY = 0;

    static final int POSITION = 1;

    static final int NEW_ONE_IN = 16;
    static final int KEYS_PER_ALIVE = 2;

    private final long seed;
    private final long alive;
    private final KeyDraw repeated;

    DuplicateGenerator(LoadSettings settings) {
        seed = settings.seed();
        alive = settings.alive();
        repeated = new KeyDraw(seed, settings.keys(), KEYS_PER_ALIVE * alive);
    }

    @Override
    public Row event(long position) {
        return Row.of(id(number(position)), position);
    }

    /** The number of the event's key, in the order in which keys first come. */
    private long number(long position) {
        if (position < alive) {
            return position;
        }
        long after = position - alive;
        long newest = alive + after / NEW_ONE_IN;
        if (after % NEW_ONE_IN == 0 && newest < repeated.keys()) {
            return newest;
        }
        long number = repeated.key(position);
        // Of what is not there yet, the one that came {@code alive} keys before.
        return number <= newest ? number : number - alive;
    }

    /** Distinct for distinct numbers, and without order. */
    private long id(long number) {
        return Draw.mix(seed + number);
    }
}
