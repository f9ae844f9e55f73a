package io.drey.jobs.replay;

/** The differences between replicas of a feed: keys and times. Replica 0 is the data as it is. */
public final class Replica {
    /** One second later per replica: distinct, and close enough that all replicas are alive together. */
    private static final long SHIFT_MS = 1000;

    private Replica() {}

    /** The key of a replica, e.g. {@code N14228#7}. */
    public static String key(String key, int replica) {
        return replica == 0 ? key : key + "#" + replica;
    }

    /** How much later the times of a replica are. */
    public static long shiftMs(int replica) {
        return replica * SHIFT_MS;
    }
}
