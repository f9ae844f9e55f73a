package io.drey.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Several directories, on disks of their own maybe, as one. Names are unique over all of them; a file lies in one.
 *
 * <ol>
 *   <li>A new file goes where I/Os take least time by recent experience, counting the files that are being written there,
 *       among the directories with enough space; if none has enough, where there is most.
 *   <li>If that directory fails, the next one is tried.
 *   <li>If a directory is full in the midst of a file, what was written moves to the next one, and the writer notices
 *       nothing.
 *   <li>Only if all are full is that an error, a {@link DiskFullException} that says so.
 * </ol>
 */
public final class SpreadDirectory implements Directory {
    private final List<Place> places;
    private final long spaceMin;
    private final LongSupplier nanoClock;

    /** Where files are that this directory made or found; all others are looked for. */
    private final ConcurrentHashMap<String, Place> known = new ConcurrentHashMap<>();

    /** @param spaceMin bytes that a directory should have left to be given a new file */
    public SpreadDirectory(List<? extends Directory> directories, long spaceMin, LongSupplier nanoClock) {
        if (directories.isEmpty()) {
            throw new IllegalArgumentException("expected at least one directory, found none");
        }
        this.places = directories.stream()
                .map(directory -> new Place(directory, nanoClock))
                .toList();
        this.spaceMin = spaceMin;
        this.nanoClock = nanoClock;
    }

    /** What each directory has done, in the order in which they were given. */
    public List<DirectoryStats> stats() {
        return places.stream().map(Place::stats).toList();
    }

    /** The directory that holds the file, or, if there is none of that name, in which to make one. */
    public Directory home(String name) throws IOException {
        Place place = find(FileNames.check(name));
        if (place == null) {
            place = ranked().get(0);
            known.put(name, place);
        }
        return place.directory();
    }

    @Override
    public WritableFile create(String name) throws IOException {
        return new SpreadFile(this, name, find(FileNames.check(name)));
    }

    /** The place of a file, or null. */
    private Place find(String name) throws IOException {
        Place place = known.get(name);
        if (place != null) {
            return place;
        }
        for (Place candidate : places) {
            if (candidate.directory().exists(name)) {
                known.put(name, candidate);
                return candidate;
            }
        }
        return null;
    }

    void moved(String name, Place place) {
        known.put(name, place);
    }

    /** The places, the best for a new file first; one that does not answer is not among them. */
    List<Place> ranked() throws IOException {
        List<Place> roomy = new ArrayList<>();
        List<Place> tight = new ArrayList<>();
        IOException failure = null;
        for (Place place : places) {
            try {
                (place.usableBytes() >= spaceMin ? roomy : tight).add(place);
            } catch (IOException e) {
                place.failed();
                failure = e;
            }
        }
        if (roomy.isEmpty() && tight.isEmpty()) {
            throw new IOException(
                    "expected one of the local directories " + describe() + " to answer, found none: "
                            + failure.getMessage(),
                    failure);
        }
        long now = nanoClock.getAsLong();
        roomy.sort(Comparator.comparingDouble(place -> place.load(now)));
        tight.sort(Comparator.comparingLong(Place::lastUsableBytes).reversed());
        roomy.addAll(tight);
        return roomy;
    }

    DiskFullException full(String name, Throwable cause) {
        String left = places.stream()
                .map(place -> place.describe() + " (" + place.lastUsableBytes() + " bytes left)")
                .collect(Collectors.joining(", "));
        return new DiskFullException(
                "expected room for " + name + " in a local directory, found all of them full: " + left
                        + ": free space there, or add a directory to state.backend.drey.local-dir",
                cause);
    }

    @Override
    public ReadableFile open(String name) throws IOException {
        Place place = find(FileNames.check(name));
        if (place == null) {
            throw LocalDirectory.missing(describe(), name);
        }
        return new SpreadReader(place, place.directory().open(name));
    }

    @Override
    public void delete(String name) throws IOException {
        Place place = find(FileNames.check(name));
        if (place != null) {
            place.directory().delete(name);
            known.remove(name);
        }
    }

    @Override
    public boolean exists(String name) throws IOException {
        Place place = find(FileNames.check(name));
        return place != null && place.directory().exists(name);
    }

    @Override
    public List<String> list() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (Place place : places) {
            names.addAll(place.directory().list());
        }
        return new ArrayList<>(names);
    }

    /** The most that one of the directories has left: a file lies in one. */
    @Override
    public long usableBytes() throws IOException {
        long most = 0;
        for (Place place : ranked()) {
            most = Math.max(most, place.lastUsableBytes());
        }
        return most;
    }

    @Override
    public String describe() {
        return places.stream().map(Place::describe).collect(Collectors.joining(", "));
    }

    /** An open file of a place, whose reads are counted there. */
    private static final class SpreadReader extends DelegatingReader {
        private final Place place;

        SpreadReader(Place place, ReadableFile file) {
            super(file);
            this.place = place;
        }

        @Override
        public void read(long position, ByteBuffer into) throws IOException {
            place.read(file, position, into);
        }
    }
}
