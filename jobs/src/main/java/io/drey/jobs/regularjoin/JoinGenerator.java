package io.drey.jobs.regularjoin;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.generate.Payload;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * Changes of two tables in one stream. Rows are numbered; the first {@code alive} are inserted one after the other,
 * then insertions and retractions alternate, and row n is retracted when row {@code alive + n} has been inserted.
 *
 * <p>Numbers are cut into blocks, {@link #BLOCKS} to what is alive. A row has one of the keys of its block, of which
 * there are half as many as rows, so that on average a key has one row on each side. Rows that match are at most a
 * block apart and live {@link #BLOCKS} blocks: so they meet even if one input of the join is read up to {@link
 * #slackEvents} behind the other, and the output does not depend on how the inputs are interleaved.
 */
final class JoinGenerator implements EventGenerator<Row> {
    private static final long serialVersionUID = 1L;

    /** Fields of a change: whether the row is of the left table, the key, the number of the row, its payload. */
    static final int LEFT = 0;

    static final int KEY = 1;
    static final int NUMBER = 2;
    static final int PAYLOAD = 3;

    private static final int BLOCKS = 8;
    private static final int ROWS_PER_KEY = 2;

    private static final int SIDE_DRAW = 1;
    private static final int KEY_DRAW = 2;
    private static final int PAYLOAD_DRAW = 3;

    private final long seed;
    private final long alive;
    private final long block;
    private final int bytesMin;
    private final int bytesMax;

    JoinGenerator(LoadSettings settings) {
        seed = settings.seed();
        alive = settings.alive();
        block = alive / BLOCKS;
        bytesMin = settings.rowBytesMin();
        bytesMax = settings.rowBytesMax();
    }

    /** At least so many events are between the insertion of a row and the retraction of one that it matches. */
    static long slackEvents(LoadSettings settings) {
        return settings.alive() - settings.alive() / BLOCKS;
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

    /** Distinct for distinct keys, and without order: the keys of a block are no neighbours in a store. */
    private long key(long number) {
        long blockStart = number - number % block;
        return Draw.mix(seed + blockStart + Draw.below(Draw.bits(seed, number, KEY_DRAW), block / ROWS_PER_KEY));
    }

    private byte[] payload(long number) {
        return Payload.between(Draw.bits(seed, number, PAYLOAD_DRAW), bytesMin, bytesMax);
    }
}
