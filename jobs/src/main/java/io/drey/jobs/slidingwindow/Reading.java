package io.drey.jobs.slidingwindow;

/** A value of a sensor. A class with public fields because Flink serializes such classes field by field. */
public final class Reading {
    public long sensor;
    public long value;

    public Reading() {}
}
