package io.drey.flink.state.pack;

import io.drey.checkpoint.upload.Writes;
import io.drey.flink.state.pack.Packs.Section;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/**
 * One object with files of several stores, on its way into the storage and as long as any of them counts on it. The job
 * manager deletes it when no checkpoint lists it any more, as any file; this process does if no store has ever listed
 * its files. Guarded by its {@link Packs}.
 */
public final class Pack {
    /** The bytes that each begins with, so that it is known for a pack where it lies alone. */
    public static final byte[] MAGIC = "DREYPACK".getBytes(StandardCharsets.US_ASCII);

    /** The way of a pack. */
    enum State {
        /** Stores may join. */
        OPEN,
        /** Whoever comes first writes it. */
        CLOSED,
        WRITING,
        WRITTEN,
        /** All attempts have failed. */
        FAILED,
        /** It had one file, or none any more: it is not made. */
        DISSOLVED
    }

    private final Packs packs;
    private final Packs.GroupKey group;
    private final List<Part> parts = new ArrayList<>();

    /** The stores that have joined, and their tasks. */
    private final Set<Object> joined = new HashSet<>();

    private final long openedNanos;
    private long joinedNanos;

    private long bytes;
    private int sections;
    private State state = State.OPEN;
    private int failures;
    private IOException failure;
    private long movedNanos;
    private long usualPauseNanos;

    /** By the object that they have made. */
    private final Map<StreamStateHandle, Attempted> attempts = new HashMap<>();

    /** The object, once it is written. */
    private StreamStateHandle object;

    private long objectBytes;

    /** Files in it that a checkpoint may have listed, or may still list. */
    private int holders;

    /** Bytes of files that further checkpoints may list. */
    private long live;

    /**
     * The object that an attempt has written.
     *
     * @param offsets where each section begins, by name; without those that were not to be written
     * @param unreadable sections that could not be read, by name
     */
    public record Attempted(Map<String, Long> offsets, Map<String, IOException> unreadable, long bytes) {}

    /** The files that one upload of a store has in a pack. */
    static final class Part {
        final Pack pack;
        final PackUpload upload;
        final List<Section> sections = new ArrayList<>();

        /** Once the pack is written. */
        final Map<String, StreamStateHandle> handles = new LinkedHashMap<>();

        /** Why one of its sections could not be read, or null. */
        IOException unreadable;

        /** Whether it is the one that writes the pack. */
        boolean writes;

        /** Whether nobody wants what the pack has of it. */
        boolean left;

        Part(Pack pack, PackUpload upload) {
            this.pack = pack;
            this.upload = upload;
        }
    }

    Pack(Packs packs, Packs.GroupKey group, long nowNanos) {
        this.packs = packs;
        this.group = group;
        this.openedNanos = nowNanos;
    }

    Packs.GroupKey group() {
        return group;
    }

    State state() {
        return state;
    }

    boolean hasRoom(Section section) {
        return packs.hasRoom(sections + 1, bytes + section.bytes());
    }

    /** Whether a store, or one of a task, has joined. */
    boolean has(Object storeOrTask) {
        return joined.contains(storeOrTask);
    }

    void add(PackUpload upload, Object store, Packs.Task task, Section section, long nowNanos) {
        Part part = parts.isEmpty() ? null : parts.get(parts.size() - 1);
        if (part == null || part.upload != upload) {
            part = new Part(this, upload);
            parts.add(part);
            upload.add(part);
        }
        part.sections.add(section);
        joined.add(store);
        joined.add(task);
        sections++;
        bytes += section.bytes();
        joinedNanos = nowNanos;
    }

    /** When it is to be closed. */
    long dueNanos() {
        long most = openedNanos + Packs.OPEN_NANOS_MAX;
        if (group.ahead()) {
            return Math.min(most, joinedNanos + Packs.AHEAD_WAIT_NANOS);
        }
        return packs.areComing(group) ? most : Math.min(most, joinedNanos + Packs.WAIT_NANOS);
    }

    void close() {
        state = sections > 1 ? State.CLOSED : State.DISSOLVED;
    }

    void begin(long nowNanos) {
        state = State.WRITING;
        movedNanos = nowNanos;
    }

    /** When others do not wait for it any more, unless something of it moves before. */
    long standsStillNanos() {
        return movedNanos + Packs.STANDSTILL_NANOS_MAX + usualPauseNanos;
    }

    /** Somebody does not want what it has there; if that was the one to write it, another one may. */
    void leave(Part part) {
        part.left = true;
        if (state == State.OPEN) {
            parts.remove(part);
            sections -= part.sections.size();
            part.sections.forEach(section -> bytes -= section.bytes());
            if (parts.isEmpty()) {
                packs.close(this);
            }
        } else if (state == State.CLOSED || (state == State.WRITING && part.writes)) {
            boolean none = parts.stream().allMatch(each -> each.left);
            boolean failed = part.writes && failures >= Writes.ATTEMPTS_MAX;
            state = none ? State.DISSOLVED : failed ? State.FAILED : State.CLOSED;
            packs.changed();
        }
        part.writes = false;
    }

    /** Why the last attempt failed, or null. */
    IOException failure() {
        return failure;
    }

    /** How long the object is going to be. */
    public long bytes() {
        synchronized (packs) {
            return bytes;
        }
    }

    /** Where the object is to be. */
    public Path directory() {
        return group.key().directory();
    }

    /** A new name for an attempt to write it. */
    public String name() {
        return packs.name(group.key().first());
    }

    /** The files that are still wanted. */
    public List<Section> sections() {
        synchronized (packs) {
            List<Section> wanted = new ArrayList<>();
            parts.stream().filter(part -> !part.left).forEach(part -> wanted.addAll(part.sections));
            return wanted;
        }
    }

    /** Something of it has moved. */
    public void moved(long nowNanos) {
        synchronized (packs) {
            movedNanos = nowNanos;
        }
    }

    /** So long nothing moves of what is as large: many clients send an object when it is closed. */
    public void usualPause(long nanos) {
        synchronized (packs) {
            usualPauseNanos = nanos;
        }
    }

    /** An attempt has failed, and not because it was not wanted. */
    public void failed(IOException why) {
        synchronized (packs) {
            failures++;
            failure = why;
        }
    }

    /** An attempt has written an object, which is or is not the first. */
    public void attempted(StreamStateHandle written, Attempted attempted) {
        synchronized (packs) {
            attempts.put(written, attempted);
        }
    }

    /** The first attempt has ended well. */
    public void won(FileStateHandle written, Consumer<StreamStateHandle> trash) {
        boolean unwanted;
        synchronized (packs) {
            if (state != State.WRITING) {
                throw new IllegalStateException("expected a pack that is being written, found it " + state);
            }
            Attempted attempted = attempts.remove(written);
            attempts.clear();
            state = State.WRITTEN;
            object = written;
            objectBytes = attempted.bytes();
            long share = attempted.bytes() / Math.max(1, attempted.offsets().size());
            for (Part part : parts) {
                if (!part.left) {
                    part.sections.forEach(section -> place(part, section, attempted, written.getFilePath(), share));
                }
            }
            unwanted = holders == 0;
            packs.changed();
        }
        if (unwanted) {
            trash.accept(written);
        }
    }

    private void place(Part part, Section section, Attempted attempted, Path path, long share) {
        Long offset = attempted.offsets().get(section.name());
        if (offset == null) {
            IOException why = attempted.unreadable().get(section.name());
            part.unreadable = why != null ? why : new IOException("nobody has read " + section.name());
            return;
        }
        part.handles.put(
                section.name(), new SectionHandle(new FileStateHandle(path, share), offset, section.bytes(), this));
        holders++;
        live += section.bytes();
    }

    /** Whether it became that object: then it is not one to be thrown away. */
    public boolean isWrittenAs(StreamStateHandle handle) {
        synchronized (packs) {
            return handle.equals(object);
        }
    }

    /** No further checkpoint lists so many bytes of it. */
    void forget(long forgotten) {
        synchronized (packs) {
            live -= forgotten;
        }
    }

    /** No checkpoint has listed one of its files, and none will; whether that was the last one. */
    boolean release() {
        synchronized (packs) {
            return --holders == 0;
        }
    }

    /** Whether at least half of the object is of use: else who lists it uploads again what is his. */
    boolean isWorthKeeping() {
        synchronized (packs) {
            return 2 * live >= objectBytes;
        }
    }
}
