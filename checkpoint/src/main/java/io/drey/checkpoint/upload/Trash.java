package io.drey.checkpoint.upload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Deletes what nothing refers to, in threads of an executor. Never throws and never makes anybody wait: what cannot be
 * deleted is tried again with later things, and told of in the end. Thread safe.
 */
public final class Trash<T> implements Consumer<T>, AutoCloseable {
    /** Things that wait to be deleted; more are left where they are. */
    private static final int WAITING_MAX = 10_000;

    private static final int TRIES_MAX = 3;

    /** Deletes one thing; it may be gone already. */
    @FunctionalInterface
    public interface Deletion<T> {
        void delete(T thing) throws Exception;
    }

    /** Hears of what stays for ever, with the last failure or, if there were too many at once, without. */
    @FunctionalInterface
    public interface Leftovers<T> {
        void left(T thing, Throwable cause);
    }

    private final Executor executor;
    private final Deletion<T> deletion;
    private final Leftovers<T> leftovers;
    private final ArrayDeque<Item<T>> waiting = new ArrayDeque<>();

    /** Failed at least once: tried again when something else is thrown away. */
    private final List<Item<T>> failed = new ArrayList<>();

    private boolean emptying;
    private boolean closed;

    private static final class Item<T> {
        final T thing;
        int tries;

        Item(T thing) {
            this.thing = Objects.requireNonNull(thing);
        }
    }

    public Trash(Executor executor, Deletion<T> deletion, Leftovers<T> leftovers) {
        this.executor = executor;
        this.deletion = deletion;
        this.leftovers = leftovers;
    }

    @Override
    public void accept(T thing) {
        boolean full;
        synchronized (this) {
            full = waiting.size() + failed.size() >= WAITING_MAX;
            if (!full) {
                waiting.add(new Item<>(thing));
            }
        }
        if (full) {
            leftovers.left(thing, null);
        }
        empty();
    }

    /** Things that are not deleted yet. */
    public synchronized int size() {
        return waiting.size() + failed.size();
    }

    /** Tries what has failed once more and no further; things still come, and are tried once. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        empty();
    }

    private void empty() {
        synchronized (this) {
            waiting.addAll(failed);
            failed.clear();
            if (emptying || waiting.isEmpty()) {
                return;
            }
            emptying = true;
        }
        try {
            executor.execute(this::deleteAll);
        } catch (RejectedExecutionException e) {
            // The process ends: nobody else will do it.
            deleteAll();
        } catch (OutOfMemoryError e) {
            // There is no thread for it.
            stopped();
        }
    }

    /** The next thing finds another thread. */
    private synchronized void stopped() {
        emptying = false;
    }

    private void deleteAll() {
        try {
            Item<T> item;
            while ((item = next()) != null) {
                delete(item);
            }
        } catch (Throwable e) {
            stopped();
            throw e;
        }
    }

    private void delete(Item<T> item) {
        item.tries++;
        try {
            deletion.delete(item.thing);
        } catch (Throwable e) {
            // Also an error: the classes of a job that has ended may be gone, and others have to be deleted still.
            keep(item, e);
        }
    }

    private synchronized Item<T> next() {
        Item<T> item = waiting.poll();
        emptying = item != null;
        return item;
    }

    private void keep(Item<T> item, Throwable cause) {
        boolean given;
        synchronized (this) {
            given = closed || item.tries >= TRIES_MAX;
            if (!given) {
                failed.add(item);
            }
        }
        if (given) {
            leftovers.left(item.thing, cause);
        }
    }
}
