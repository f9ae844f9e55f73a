package io.drey.store.schedule;

import io.drey.foundation.Cleanup;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A background job of one store: made, paced and waited for by the store's owner, who looks at its outcome when it is
 * done. What a subclass writes before its last part, the owner reads after {@link #isDone}. It ends early when the
 * store closes.
 */
public abstract class OwnedWork implements Background.Work {
    private final BooleanSupplier closing;
    private final Runnable signal;
    private Background.Job job;
    private Throwable failure;
    private volatile boolean done;

    /**
     * Work that has not begun.
     *
     * @param closing whether the store closes; any thread
     * @param signal run when the work has ended, in its thread
     */
    protected OwnedWork(BooleanSupplier closing, Runnable signal) {
        this.closing = closing;
        this.signal = signal;
    }

    /** Lets background threads begin; if they do not take it, it has ended with that failure. */
    public final void submit(Background background, Background.Urgency urgency) {
        try {
            job = background.submit(urgency, this);
        } catch (RuntimeException | Error e) {
            end(e);
        }
    }

    /** Waits for the end, which is urgent therefore. */
    public final void await() throws InterruptedException {
        if (job != null) {
            job.hurry();
            job.await();
        }
    }

    /** Ends it if its next part fails, as any does when the store closes: at once, unless one is under way. */
    public final void endSoon() {
        if (job != null) {
            job.withdraw(() -> step(0));
        }
    }

    public final boolean isDone() {
        return done;
    }

    /** The cause if the work failed, else null. */
    public final Throwable failure() {
        return failure;
    }

    @Override
    public final boolean step(int bytes) {
        boolean more = false;
        try {
            if (closing.getAsBoolean()) {
                throw new CancellationException("the store is closing");
            }
            more = part(bytes);
        } catch (Throwable e) {
            end(e);
            return false;
        }
        if (!more) {
            done = true;
            signal.run();
        }
        return more;
    }

    /** Fails the work for a reason of its own or another one; what fails on the way does not hide it. */
    private void end(Throwable cause) {
        failure = cause;
        try {
            Cleanup.attempt(() -> discard(cause), cause);
        } finally {
            done = true;
            signal.run();
        }
    }

    @Override
    public final void abandoned(Throwable cause) {
        if (done) {
            return;
        }
        Throwable told = cause;
        try {
            told = new DreyException("a background thread of the state store has ended: " + cause, cause);
        } finally {
            end(told);
        }
    }

    @Override
    public final double bytesPerSecond() {
        return closing.getAsBoolean() ? Double.POSITIVE_INFINITY : pace();
    }

    /** Moves about so many bytes; false when all is done. */
    protected abstract boolean part(int bytes) throws IOException;

    /** Leaves no file and no memory of unfinished work; what fails on the way is told with the cause. */
    protected abstract void discard(Throwable cause);

    /** Bytes per second that suffice while the store is open. */
    protected abstract double pace();
}
