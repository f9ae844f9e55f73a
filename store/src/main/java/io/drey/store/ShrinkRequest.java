package io.drey.store;

/** The wish of other stores of the slot, told in their threads, that a store gives memory back; its owner asks for it. */
final class ShrinkRequest implements Runnable {
    private final Runnable listener;
    private volatile boolean waiting;

    /** @param listener told of each request, in the thread that makes it */
    ShrinkRequest(Runnable listener) {
        this.listener = listener;
    }

    @Override
    public void run() {
        waiting = true;
        listener.run();
    }

    boolean isWaiting() {
        return waiting;
    }

    /** The owner is about to do it. */
    void done() {
        waiting = false;
    }
}
