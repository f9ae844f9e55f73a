package io.drey.jobs.intervaljoin;

/** A row of one side. A class with public fields because Flink serializes such classes field by field. */
public final class SideRow {
    public boolean left;
    public long key;
    public long happenedMs;
    public byte[] payload;

    public SideRow() {}
}
