package io.drey.jobs.samplejoin;

/**
 * A message of one of the three streams. A class with public fields because Flink serializes such classes field by
 * field.
 */
public final class Message {
    /** Opens a sample and brings its context. */
    public static final int REQUEST = 0;

    public static final int FEATURE = 1;
    public static final int ACTION = 2;

    /** The stream. */
    public int kind;

    public long sample;

    /** When the sample was requested: its window begins here. */
    public long requestedMs;

    public byte[] content;

    public Message() {}
}
