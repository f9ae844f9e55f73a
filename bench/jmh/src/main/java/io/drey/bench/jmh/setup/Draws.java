package io.drey.bench.jmh.setup;

/** Numbers at random, by xorshift: the same in every run, and cheap beside what is measured. */
final class Draws {
    private long state = 0x2545F4914F6CDD1DL;

    /** A number from 0 on, below a bound. */
    int below(int bound) {
        long x = state;
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        state = x;
        return (int) (((x >>> 33) * bound) >>> 31);
    }
}
