package io.drey.files.remote;

import io.drey.files.remote.RemoteStreams.Pooled;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** Streams that are open and not in use, those of all restores of a process. Thread safe; nothing is closed in it. */
final class IdleStreams {
    /**
     * Each keeps a connection of its client, of which all backends of a process have 96 together with S3A. If those that
     * nobody uses took all, whoever wants to open a file would wait for ever.
     */
    static final int PROCESS_MAX = 32;

    static final IdleStreams OF_PROCESS = new IdleStreams();

    /** The one used last is the last. */
    private final ArrayDeque<Pooled> streams = new ArrayDeque<>();

    /** Keeps one; returns another, which is to be closed for it, or null. */
    synchronized Pooled add(Pooled stream) {
        streams.addLast(stream);
        return streams.size() > PROCESS_MAX ? streams.pollFirst() : null;
    }

    /** Takes the one used last of those wanted, or returns null. */
    synchronized Pooled poll(Predicate<Pooled> wanted) {
        return poll(streams.descendingIterator(), wanted);
    }

    /** Takes the one of a restore that is unused for the longest time, or returns null. */
    synchronized Pooled pollEldest(RemoteStreams owner) {
        return poll(streams.iterator(), each -> each.isOf(owner));
    }

    private static Pooled poll(Iterator<Pooled> streams, Predicate<Pooled> wanted) {
        while (streams.hasNext()) {
            Pooled stream = streams.next();
            if (wanted.test(stream)) {
                streams.remove();
                return stream;
            }
        }
        return null;
    }

    synchronized List<Pooled> pollAll(Predicate<Pooled> wanted) {
        List<Pooled> polled = new ArrayList<>();
        for (Pooled stream; (stream = poll(wanted)) != null; ) {
            polled.add(stream);
        }
        return polled;
    }

    synchronized int count(RemoteStreams owner) {
        return (int) streams.stream().filter(each -> each.isOf(owner)).count();
    }
}
