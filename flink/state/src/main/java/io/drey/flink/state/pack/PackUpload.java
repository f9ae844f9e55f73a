package io.drey.flink.state.pack;

import io.drey.flink.state.pack.Pack.Part;
import io.drey.flink.state.task.Time;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * The small files that one store uploads at once, in one pack or several that others may have files in. One thread, but
 * {@link #close} from any cancels it.
 */
public final class PackUpload implements Closeable {
    private final Packs packs;
    private final Time time;
    private final List<Part> parts = new ArrayList<>();
    private boolean cancelled;

    PackUpload(Packs packs, Time time) {
        this.packs = packs;
        this.time = time;
    }

    void add(Part part) {
        parts.add(part);
    }

    /** Waits until no file will be added to its packs; the packs that the caller has to write. */
    public List<Pack> closed() throws InterruptedException {
        while (true) {
            CountDownLatch change;
            long until = Long.MAX_VALUE;
            long now = time.nanos();
            synchronized (packs) {
                checkNotCancelled();
                for (Part part : parts) {
                    if (part.pack.state() == Pack.State.OPEN && part.pack.dueNanos() <= now) {
                        packs.close(part.pack);
                    } else if (part.pack.state() == Pack.State.OPEN) {
                        until = Math.min(until, part.pack.dueNanos());
                    }
                }
                if (until == Long.MAX_VALUE) {
                    return claim(now);
                }
                change = packs.nextChange();
            }
            time.await(change, until - now);
        }
    }

    /**
     * Waits until its packs are written, or one of them has to be written by the caller: these are returned.
     *
     * @throws IOException if one cannot be written, or a file of this store cannot be read
     */
    public List<Pack> next() throws IOException, InterruptedException {
        while (true) {
            CountDownLatch change;
            long until;
            long now = time.nanos();
            synchronized (packs) {
                checkNotCancelled();
                List<Pack> claimed = claim(now);
                until = claimed.isEmpty() ? waitUntil(now) : now;
                if (until <= now) {
                    return claimed;
                }
                change = packs.nextChange();
            }
            time.await(change, until - now);
        }
    }

    private List<Pack> claim(long now) {
        List<Pack> claimed = new ArrayList<>();
        for (Part part : parts) {
            if (part.pack.state() == Pack.State.CLOSED && !part.left) {
                part.writes = true;
                part.pack.begin(now);
                claimed.add(part.pack);
            }
        }
        return claimed;
    }

    /** When to look again; now if there is nothing to wait for. */
    private long waitUntil(long now) throws IOException {
        long until = Long.MAX_VALUE;
        for (Part part : parts) {
            if (part.unreadable != null) {
                throw new IOException(part.unreadable.getMessage(), part.unreadable);
            }
            if (part.pack.state() == Pack.State.FAILED && !part.left) {
                throw new IOException(
                        "a pack could not be written into " + part.pack.directory() + ": "
                                + part.pack.failure().getMessage(),
                        part.pack.failure());
            }
            if (part.pack.state() == Pack.State.WRITING && !part.left) {
                long limit = part.pack.standsStillNanos();
                if (limit <= now) {
                    part.pack.leave(part);
                } else {
                    until = Math.min(until, limit);
                }
            }
        }
        return until == Long.MAX_VALUE ? now : until;
    }

    private void checkNotCancelled() {
        if (cancelled) {
            throw new CancellationException("the upload was cancelled");
        }
    }

    /** Names of files that are in no pack after all: the caller writes them by themselves. */
    public Set<String> unpacked() {
        synchronized (packs) {
            Set<String> names = new HashSet<>();
            for (Part part : parts) {
                if (part.pack.state() != Pack.State.WRITTEN || part.left) {
                    part.sections.forEach(section -> names.add(section.name()));
                }
            }
            return names;
        }
    }

    /** The handles of the files in packs, by name: each is to be discarded if no checkpoint lists it. */
    public Map<String, StreamStateHandle> take() {
        synchronized (packs) {
            Map<String, StreamStateHandle> taken = new HashMap<>();
            for (Part part : parts) {
                if (!part.left) {
                    taken.putAll(part.handles);
                }
            }
            return taken;
        }
    }

    /** The upload failed: what it has in packs is nobody's. */
    public void leave(Consumer<StreamStateHandle> trash) {
        List<StreamStateHandle> left = new ArrayList<>();
        synchronized (packs) {
            for (Part part : parts) {
                if (!part.left) {
                    part.pack.leave(part);
                    left.addAll(part.handles.values());
                }
            }
        }
        left.forEach(trash);
    }

    /** Cancels it: whoever waits is told. */
    @Override
    public void close() {
        synchronized (packs) {
            cancelled = true;
            packs.changed();
        }
    }
}
