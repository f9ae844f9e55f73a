package io.drey.jobs.buffer;

/** An element that is appended. A class with public fields because Flink serializes such classes field by field. */
public final class Element {
    public long key;
    public long happenedMs;
    public long value;

    public Element() {}
}
