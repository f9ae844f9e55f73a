package io.drey.shuffle.worker.device;

/** Gives a {@link DeviceLoop} its turns, one after the other. */
public interface DeviceDriver {
    /** Called once, before anything else. */
    void start(DeviceLoop loop);

    /** Any thread: there is work; the next turn comes soon, or follows the one that is under way. */
    void wake();

    /**
     * Waits until the loop, which is closing, has had its last turn and its files are closed; false if it stands still
     * in a turn, and is left there.
     */
    boolean awaitEnd();
}
