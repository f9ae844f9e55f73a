package io.drey.foundation;

/**
 * A part of the heap that all members of a process share, each as much as any other: tasks have one heap, and a job may
 * have hundreds of operators in it. Thread safe.
 */
public final class HeapShare {
    private final long bytes;
    private int members;
    private volatile long share;

    /** @param bytes of all members together */
    public HeapShare(long bytes) {
        this.bytes = bytes;
        this.share = bytes;
    }

    /** So large a part of the JVM's heap: one in {@code fraction}. */
    public static HeapShare ofJvm(int fraction) {
        return new HeapShare(Runtime.getRuntime().maxMemory() / fraction);
    }

    public synchronized void enter() {
        members++;
        share = bytes / members;
    }

    public synchronized void leave() {
        members--;
        share = bytes / Math.max(1, members);
    }

    /** Bytes of each member as it is now. Hot path. */
    public long bytes() {
        return share;
    }
}
