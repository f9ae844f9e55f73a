package io.drey.files.remote;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * Ranges of one file that will be asked for soon. Of each expectation a first piece is as urgent as its number says: the
 * later it was said, the more. What remains of it is the least urgent, so that other files have their turn. Ranges that
 * are not free any more are forgotten when they are met. Not thread safe.
 */
final class ExpectedRanges {
    /** Expectations of which no piece was taken: an older one more is the least urgent. */
    private static final int LATEST_MAX = 16;

    private record Expectation(long number, int from, int to) {}

    /** The last first. */
    private final ArrayDeque<Expectation> latest = new ArrayDeque<>();

    private final BitSet others = new BitSet();
    private final IntPredicate isFree;

    /** @param isFree whether a range is neither here nor on its way */
    ExpectedRanges(IntPredicate isFree) {
        this.isFree = isFree;
    }

    /** @param number of the expectation, above all before */
    void add(long number, int from, int to) {
        latest.addFirst(new Expectation(number, from, to));
        if (latest.size() > LATEST_MAX) {
            leave(latest.removeLast());
        }
    }

    private void leave(Expectation expectation) {
        others.set(expectation.from(), expectation.to());
    }

    /** How urgent the most urgent is; 0 if there is none. */
    long urgency() {
        Expectation next = next();
        return next != null ? next.number() : nextOther() >= 0 ? Downloads.LEAST_URGENCY : 0;
    }

    /** The most urgent range, for the one who takes from it on; negative if there is none. */
    int take() {
        Expectation next = next();
        if (next == null) {
            return nextOther();
        }
        latest.removeFirst();
        leave(next);
        return firstFree(next);
    }

    /** The end of what is expected from a range on that was taken. */
    int end(int from) {
        return others.nextClearBit(from);
    }

    private Expectation next() {
        while (!latest.isEmpty() && firstFree(latest.peekFirst()) < 0) {
            latest.removeFirst();
        }
        return latest.peekFirst();
    }

    private int firstFree(Expectation expectation) {
        for (int range = expectation.from(); range < expectation.to(); range++) {
            if (isFree.test(range)) {
                return range;
            }
        }
        return -1;
    }

    private int nextOther() {
        int range = others.nextSetBit(0);
        while (range >= 0 && !isFree.test(range)) {
            others.clear(range);
            range = others.nextSetBit(range + 1);
        }
        return range;
    }
}
