package io.drey.bench.disk;

/**
 * The ration of a volume: units, of I/Os or bytes, that come at a lasting rate, are saved up to a number of credits,
 * and are spent at no more than a burst rate. It does not stop anyone: every step it takes what was used and answers
 * the rate to allow next, aiming at the balance 0 a second from now.
 *
 * <p>So with many credits the burst rate is allowed, with none the lasting rate; between them, the credits that are
 * left are handed out over about a second instead of in one gulp; and what was used beyond the ration, because the
 * kernel's limits are late, is paid back. Not thread safe.
 */
final class TokenBucket {
    /** Seconds over which credits that are nearly used up are spent, and debt is paid back. */
    private static final double HORIZON_SECONDS = 1;

    /** The share of the lasting rate that is allowed even to a debtor, so that nobody is stopped. */
    private static final double SHARE_MIN = 0.25;

    private final long rate;
    private final long burstRate;
    private final long creditsMax;
    private double balance;

    /** A full bucket. A burst rate below the lasting rate means that there is no burst. */
    TokenBucket(long rate, long burstRate, long creditsMax) {
        if (rate < 1 || creditsMax < 0) {
            throw new IllegalArgumentException("expected a rate of at least 1 and no negative credits, found a rate of "
                    + rate + " and " + creditsMax + " credits");
        }
        this.rate = rate;
        this.burstRate = Math.max(rate, burstRate);
        this.creditsMax = creditsMax;
        this.balance = creditsMax;
    }

    /** Adds what came in {@code seconds} and takes what was used in them. */
    void step(double seconds, long used) {
        balance = Math.min(creditsMax, balance + rate * seconds - used);
    }

    /** Units a second to allow now. */
    long allowed() {
        double target = rate + balance / HORIZON_SECONDS;
        return Math.round(Math.max(SHARE_MIN * rate, Math.min(burstRate, target)));
    }

    /** Units that may be used beyond the lasting rate; negative if more was used than came. */
    double credits() {
        return balance;
    }
}
