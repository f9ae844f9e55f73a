package io.drey.jobs.regularjoin;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.LoadSettings;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * Changes of two tables in one stream. Rows are numbered; the first {@code alive} are inserted one after the other, then
 * insertions and retractions alternate, and row n is retracted when row {@code alive + n} has been inserted.
 *
 * <p>Numbers are cut into blocks of a quarter of {@code alive}. A row has one of the keys of its block, half as many as
 * the block has rows, so that on average a key has one row on each side. Rows that match are therefore at most a block
 * apart and live three blocks longer: that they meet does not depend on how the join's two inputs are interleaved.
 */
final class JoinGenerator implements EventGenerator<Row> {
    private static final long serialVersionUID = 1L;

    static final int LEFT = 0;
    static final int KEY = 1;
    static final int NUMBER = 2;
    static final int PAYLOAD = 3;

    static final int BLOCKS = 4;
    private static final int ROWS_PER_KEY = 2;

    private static final int SIDE_DRAW = 1;
    private static final int KEY_DRAW = 2;
    private static final int SIZE_DRAW = 3;
    private static final int CONTENT_DRAW = 4;

    private final long seed;
    private final long alive;
    private final int bytesMin;
    private final int sizes;

    JoinGenerator(LoadSettings settings) {
        seed = settings.seed();
        alive = settings.alive();
        bytesMin = settings.rowBytesMin();
        sizes = settings.rowBytesMax() - settings.rowBytesMin() + 1;
    }

    @Override
    public Row event(long position) {
        long number = number(position);
        RowKind kind = inserts(position) ? RowKind.INSERT : RowKind.DELETE;
        return Row.ofKind(kind, left(number), key(number), number, payload(number));
    }

    /** Event time at which a pair of rows appears: when the later is inserted. */
    long appearsMs(long number, long otherNumber) {
        long later = Math.max(number, otherNumber);
        return EventTime.of(later < alive ? later : alive + 2 * (later - alive));
    }

    /** Event time at which a pair of rows disappears: when the earlier is retracted. */
    long disappearsMs(long number, long otherNumber) {
        return EventTime.of(alive + 2 * Math.min(number, otherNumber) + 1);
    }

    private boolean inserts(long position) {
        return position < alive || (position - alive) % 2 == 0;
    }

    private long number(long position) {
        if (position < alive) {
            return position;
        }
        long step = (position - alive) / 2;
        return inserts(position) ? alive + step : step;
    }

    private boolean left(long number) {
        return Draw.bits(seed, number, SIDE_DRAW) < 0;
    }

    /** Distinct for distinct keys, and without order, so that the keys of a block are not neighbours in a store. */
    private long key(long number) {
        long block = alive / BLOCKS;
        long first = number - number % block;
        return Draw.mix(seed + first + Draw.below(Draw.bits(seed, number, KEY_DRAW), block / ROWS_PER_KEY));
    }
}
