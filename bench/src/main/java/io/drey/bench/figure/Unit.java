package io.drey.bench.figure;

import io.drey.bench.format.Quantity;

/** The unit of a figure, with its form for people. */
public enum Unit {
    EVENTS_PER_SECOND("events/s"),
    MICROSECONDS_PER_EVENT("µs/event"),
    BYTES("bytes"),
    BYTES_PER_EVENT("bytes/event"),
    PER_EVENT("1/event"),
    MILLISECONDS("ms"),
    SECONDS("s"),
    PERCENT("%"),
    RATIO("ratio"),
    COUNT("count");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    /** As documents and JSON name it. */
    public String symbol() {
        return symbol;
    }

    /** A value with its unit, three significant digits. */
    public String show(double value) {
        return switch (this) {
            case BYTES, BYTES_PER_EVENT -> Quantity.size(value);
            case MILLISECONDS -> Quantity.millis(value);
            case SECONDS -> Quantity.number(value) + " s";
            case MICROSECONDS_PER_EVENT -> Quantity.number(value) + " µs";
            case PERCENT -> Quantity.number(value) + " %";
            case EVENTS_PER_SECOND -> Quantity.number(value) + "/s";
            case COUNT -> value == Math.rint(value) ? Quantity.count((long) value) : Quantity.number(value);
            case PER_EVENT, RATIO -> Quantity.number(value);
        };
    }
}
