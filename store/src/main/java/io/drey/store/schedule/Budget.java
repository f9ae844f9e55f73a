package io.drey.store.schedule;

/**
 * A bucket of tokens that may be overdrawn: whoever is allowed to spend spends what it needs, and nobody is until the
 * bucket is out of debt again. Savings and debt are both limited, to what comes in within a short and a longer time.
 * One thread at a time.
 */
final class Budget {
    private static final double SAVED_SECONDS_MAX = 0.05;
    private static final double DEBT_SECONDS_MAX = 3;

    private long last;
    private double perSecond;
    private double balance;

    Budget(long now) {
        last = now;
    }

    /** What comes in from now on; as much as before if that is no finite number. */
    void income(long now, double unitsPerSecond) {
        balance += (now - last) / 1e9 * perSecond;
        last = now;
        perSecond = Double.isFinite(unitsPerSecond) ? unitsPerSecond : perSecond;
        balance = Math.max(-perSecond * DEBT_SECONDS_MAX, Math.min(perSecond * SAVED_SECONDS_MAX, balance));
    }

    void spend(double units) {
        balance -= units;
    }

    /** How long after the last {@link #income} until spending is allowed; 0 for now. */
    long delayNanos() {
        return balance >= 0 ? 0 : perSecond <= 0 ? Long.MAX_VALUE : (long) Math.ceil(-balance / perSecond * 1e9);
    }
}
