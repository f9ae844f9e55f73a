package io.drey.jobs.oracle;

/** The hash of a row, written a second time from its description: see {@code docs/reference/demo-jobs.md}. */
final class RowHash {
    private long state = 0xCBF29CE484222325L;

    RowHash add(String text) {
        String present = text == null ? "NA" : text;
        for (char unit : present.toCharArray()) {
            mix(unit);
        }
        mix(0xFFFF);
        return this;
    }

    RowHash add(long number) {
        mix(number);
        state = state ^ (state >>> 32);
        return this;
    }

    RowHash add(double number) {
        return add(Double.doubleToLongBits(number));
    }

    private void mix(long value) {
        state = (state ^ value) * 0x100000001B3L;
    }

    long value() {
        long hash = state;
        hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return hash ^ (hash >>> 33);
    }
}
