package io.drey.jobs.intervaljoin;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeyDraw;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.generate.Payload;

/**
 * Rows of both sides in turn. Nine of ten have a key of their own; the tenth has the key of a row of the other side
 * within the interval, so that about so many probes find something. The skew says how near that partner is.
 */
final class SideGenerator implements EventGenerator<SideRow> {
    private static final long serialVersionUID = 1L;

    private static final int FOLLOWER_ONE_IN = 10;
    private static final int FOLLOWER = 1;
    private static final int PAYLOAD = 2;

    private final long seed;
    private final int bytesMin;
    private final int bytesMax;
    private final KeyDraw distance;

    SideGenerator(LoadSettings settings) {
        seed = settings.seed();
        bytesMin = settings.rowBytesMin();
        bytesMax = settings.rowBytesMax();
        distance = new KeyDraw(seed, settings.keys(), intervalMs(settings));
    }

    /** So many rows are alive, as each of both sides stays so long and one comes every millisecond. */
    static long intervalMs(LoadSettings settings) {
        return settings.alive();
    }

    @Override
    public SideRow event(long position) {
        SideRow row = new SideRow();
        row.left = isLeft(position);
        row.key = Draw.mix(seed + leader(position));
        row.happenedMs = EventTime.of(position);
        row.payload = Payload.between(Draw.bits(seed, position, PAYLOAD), bytesMin, bytesMax);
        return row;
    }

    private static boolean isLeft(long position) {
        return (position & 1) == 0;
    }

    /** The position of the row that has this key as its own: of the other side, or the row itself. */
    private long leader(long position) {
        if (!follows(position)) {
            return position;
        }
        long leader = position - 1 - distance.rank(position);
        if (isLeft(leader) == isLeft(position)) {
            leader++;
        }
        while (leader >= 0 && leader < position && follows(leader)) {
            leader += 2;
        }
        return leader < 0 || leader > position ? position : leader;
    }

    private boolean follows(long position) {
        return Draw.below(Draw.bits(seed, position, FOLLOWER), FOLLOWER_ONE_IN) == 0;
    }
}
