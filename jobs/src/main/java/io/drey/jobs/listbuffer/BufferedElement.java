package io.drey.jobs.listbuffer;

/** An element that is appended. A class with public fields because Flink serializes such classes field by field. */
public final class BufferedElement {
    public long key;
    public long happenedMs;
    public long value;

    public BufferedElement() {}
}
