package io.drey.checkpoint.retention;

import io.drey.checkpoint.upload.Writes.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job's directory of checkpoints as it was found: which checkpoints are kept there, which files, and which names are
 * mentioned by any checkpoint that may list files there. A job may be at work meanwhile.
 *
 * <p>Files are listed first, then all meta data is read, and last the claims of other jobs with the meta data in their
 * directories. So what a checkpoint lists is mentioned if it was there when the files were listed and a retained
 * checkpoint listed it, whatever completes and goes in between.
 */
public final class JobDirectory {
    static final String SHARED = "shared";

    /** A look waits so long in all until checkpoints that lack files are gone. */
    static final long WAIT_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

    /** Between two times that it asks. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String TASK_OWNED = "taskowned";

    private final String path;
    private final List<RetainedCheckpoint> retained = new ArrayList<>();
    private final List<StoredFile> files = new ArrayList<>();

    /** Names of what is there, by place. */
    private final Map<String, Set<String>> known = new HashMap<>();

    private final Set<String> mentioned = new HashSet<>();
    private final List<String> doubts = new ArrayList<>();

    /**
     * A checkpoint that has completed and was still kept when its meta data was read.
     *
     * @param id its number, or -1 if its directory does not say
     * @param completedMs when its meta data was written, by the clock of the storage
     * @param metadataBytes their size
     * @param listed paths of the files that it lists; none if its meta data cannot be read
     * @param names of files that stand anywhere in its meta data, those of {@code listed} among them
     */
    public record RetainedCheckpoint(
            long id, long completedMs, long metadataBytes, Set<String> listed, Set<String> names) {
        private static final Pattern DIRECTORY = Pattern.compile("chk-(\\d{1,18})");

        /** The number of the checkpoint in a directory of that name, or -1 if the name is no checkpoint's. */
        static long id(String directory) {
            Matcher matcher = DIRECTORY.matcher(directory);
            return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
        }
    }

    /**
     * A file in a job's directory, or a directory of a checkpoint that is not complete.
     *
     * @param place the directory within the job's; empty for a directory of a checkpoint
     * @param modifiedMs when it was last written, by the clock of the storage; 0 if that does not say
     */
    public record StoredFile(String place, String name, boolean directory, long bytes, long modifiedMs) {
        static StoredFile of(String place, JobFiles.Entry entry) {
            return new StoredFile(place, entry.name(), entry.directory(), entry.bytes(), entry.modifiedMs());
        }

        /** Whether checkpoints share it. */
        public boolean isShared() {
            return place.equals(JobDirectory.SHARED);
        }

        /** Where it is within the job's directory. */
        public String path() {
            return place.isEmpty() ? name : place + "/" + name;
        }
    }

    private JobDirectory(String path) {
        this.path = path;
    }

    /** Reads a directory as below, by the clock of the system. */
    public static JobDirectory read(JobFiles storage, String path, int metadataBytesMax) throws IOException {
        return read(storage, path, metadataBytesMax, System::nanoTime, new CountDownLatch(1));
    }

    /**
     * Reads a directory.
     *
     * @param metadataBytesMax meta data of a checkpoint above that is not read, and nothing is garbage then
     * @param closed once it is open, this waits no more until checkpoints are gone
     * @throws IOException if it cannot be listed
     */
    public static JobDirectory read(
            JobFiles storage, String path, int metadataBytesMax, Clock clock, CountDownLatch closed)
            throws IOException {
        JobDirectory directory = new JobDirectory(path);
        directory.addAll(SHARED, storage.list(path + "/" + SHARED));
        directory.addAll(TASK_OWNED, storage.list(path + "/" + TASK_OWNED));
        RetainedReader own = new RetainedReader(storage, path, metadataBytesMax, directory.doubts);
        own.readAll();
        directory.mentioned.addAll(own.mentioned);
        for (String place : own.incomplete.keySet()) {
            if (RetainedCheckpoint.id(place) >= 0) {
                directory.addAll(place, own.incomplete.get(place));
                directory.add(StoredFile.of("", own.directories.get(place)));
            }
        }
        Map<String, List<String>> lacking = new TreeMap<>();
        for (String place : own.read.keySet()) {
            directory.addRetained(place, own, storage, lacking);
        }
        directory.awaitGone(lacking, own, clock, closed);
        for (JobFiles.Entry entry : storage.list(path + "/" + SHARED)) {
            if (Claim.isName(entry.name())) {
                directory.readClaim(entry.name(), storage, metadataBytesMax);
            }
        }
        return directory;
    }

    private void addAll(String place, Collection<JobFiles.Entry> entries) {
        entries.forEach(entry -> add(StoredFile.of(place, entry)));
    }

    private void add(StoredFile file) {
        files.add(file);
        known.computeIfAbsent(file.place(), absent -> new HashSet<>()).add(file.name());
    }

    /** Whether it is a directory of files that checkpoints share, and not of one. */
    static boolean isShared(String name) {
        return name.equals(SHARED) || name.equals(TASK_OWNED);
    }

    /** @param lacking gets what a checkpoint lists that is not there, by place */
    private void addRetained(String place, RetainedReader own, JobFiles storage, Map<String, List<String>> lacking)
            throws IOException {
        RetainedCheckpoint checkpoint = own.read.get(place);
        storage.list(path + "/" + place).stream()
                .filter(entry -> !entry.name().equals(RetainedReader.METADATA))
                .forEach(entry -> add(StoredFile.of(place, entry)));
        List<String> missing = missing(checkpoint, storage);
        if (own.isRetained(place)) {
            retained.add(checkpoint);
            if (!missing.isEmpty()) {
                lacking.put(place, missing);
            }
        }
    }

    /**
     * A checkpoint that lists what is not there is damaged, or files were deleted under it: then nobody knows what it
     * was meant to list. Or the job drops it just now, its meta data last: then it goes soon. Nobody waits if the last
     * checkpoint is among them, which no job drops, or if there are doubts anyway.
     */
    private void awaitGone(Map<String, List<String>> lacking, RetainedReader own, Clock clock, CountDownLatch closed)
            throws IOException {
        long begin = clock.nanos();
        boolean isOver = !doubts.isEmpty();
        while (!isOver && own.mayGo(lacking.keySet())) {
            isOver = isOpenAfterPause(closed, clock) || clock.nanos() - begin >= WAIT_NANOS_MAX;
            for (Iterator<String> places = lacking.keySet().iterator(); places.hasNext(); ) {
                String place = places.next();
                if (!own.isRetained(place)) {
                    retained.remove(own.read.get(place));
                    places.remove();
                }
            }
        }
        lacking.forEach((place, missing) -> doubts.add("the checkpoint in " + path + "/" + place + " lists "
                + missing.size() + " files that are not there, " + missing.get(0) + " for one: it is damaged."
                + " If nobody needs it, delete its directory"));
    }

    private static boolean isOpenAfterPause(CountDownLatch latch, Clock clock) throws IOException {
        try {
            return clock.await(latch, PAUSE_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            IOException failure = new InterruptedIOException("interrupted while waiting for a checkpoint to be gone");
            failure.initCause(e);
            throw failure;
        }
    }

    /**
     * Listed files that are not there. Those of this directory are looked for in it, as it may have another path by now,
     * and then, like those of other jobs' directories, where they are listed: the job may have had a directory of the
     * same name elsewhere, or files on random paths.
     */
    private List<String> missing(RetainedCheckpoint checkpoint, JobFiles storage) throws IOException {
        String own = "/" + path.substring(path.lastIndexOf('/') + 1) + "/";
        Set<String> lookedAgain = new HashSet<>();
        Map<String, Set<String>> elsewhere = new HashMap<>();
        List<String> missing = new ArrayList<>();
        for (String listed : checkpoint.listed()) {
            int at = listed.lastIndexOf(own);
            if (at >= 0) {
                String within = listed.substring(at + own.length());
                String place = within.substring(0, Math.max(0, within.lastIndexOf('/')));
                String name = within.substring(within.lastIndexOf('/') + 1);
                Set<String> names = known.computeIfAbsent(place, absent -> new HashSet<>());
                if (!names.contains(name) && lookedAgain.add(place)) {
                    // It may have come after the files were listed.
                    storage.list(place.isEmpty() ? path : path + "/" + place).stream()
                            .map(JobFiles.Entry::name)
                            .filter(each -> !each.equals(RetainedReader.METADATA))
                            .forEach(names::add);
                }
                if (!names.contains(name) && !isWhereItIsListed(listed, elsewhere, storage)) {
                    missing.add(listed);
                }
            } else if (isMissedElsewhere(listed, elsewhere, storage)) {
                missing.add(listed);
            }
        }
        return missing;
    }

    /** Where this job may not look, nobody knows: that is no reason to keep what is here. */
    private static boolean isMissedElsewhere(String listed, Map<String, Set<String>> seen, JobFiles storage) {
        try {
            return !isWhereItIsListed(listed, seen, storage);
        } catch (IOException e) {
            return false;
        }
    }

    /** @param seen names in directories that were listed already */
    private static boolean isWhereItIsListed(String listed, Map<String, Set<String>> seen, JobFiles storage)
            throws IOException {
        int slash = listed.lastIndexOf('/');
        String place = listed.substring(0, slash);
        Set<String> names = seen.get(place);
        if (names == null) {
            names = new HashSet<>();
            for (JobFiles.Entry entry : storage.list(place)) {
                names.add(entry.name());
            }
            seen.put(place, names);
        }
        return names.contains(listed.substring(slash + 1));
    }

    private void readClaim(String name, JobFiles storage, int metadataBytesMax) throws IOException {
        String file = path + "/" + SHARED + "/" + name;
        try {
            byte[] bytes = storage.read(file, Claim.BYTES_MAX);
            if (bytes == null && isWhereItIsListed(file, new HashMap<>(), storage)) {
                throw new IOException("it cannot be opened");
            }
            if (bytes != null) {
                String claimer = Claim.parse(bytes).directory();
                RetainedReader other = new RetainedReader(storage, claimer, metadataBytesMax, doubts);
                other.readAll();
                mentioned.addAll(other.mentioned);
                if (other.read.isEmpty()) {
                    doubts.add("files here belong to a job with checkpoints in " + claimer + ", where there are none."
                            + " If that job is gone, delete " + file);
                }
            }
        } catch (IOException e) {
            doubts.add("files here belong to another job, as " + file + " says, and its checkpoints cannot be read ("
                    + e.getMessage() + "). If that job is gone, delete that file");
        }
    }

    public String path() {
        return path;
    }

    /** The checkpoints that are kept here and could be read. */
    public List<RetainedCheckpoint> retained() {
        return List.copyOf(retained);
    }

    /** All files but meta data, and directories of checkpoints that are not complete. */
    public List<StoredFile> files() {
        return List.copyOf(files);
    }

    /** Whether any checkpoint that was read mentions a file of that name. */
    boolean mentions(String name) {
        return mentioned.contains(name);
    }

    /** Reasons to delete nothing here, each a sentence. */
    public List<String> doubts() {
        return List.copyOf(doubts);
    }
}
