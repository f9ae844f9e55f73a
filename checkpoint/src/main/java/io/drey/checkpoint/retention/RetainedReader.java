package io.drey.checkpoint.retention;

import io.drey.checkpoint.retention.JobDirectory.RetainedCheckpoint;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the meta data of all checkpoints in a directory while a job may complete new ones and drop old ones: goes round
 * until a round finds nothing new and nothing gone. Then all that were there in the last round have been read. What has
 * gone meanwhile still counts as mentioned, and so does meta data in directories of any other name.
 */
final class RetainedReader {
    static final String METADATA = "_metadata";

    private static final int ROUNDS_MAX = 100;

    private final JobFiles storage;
    private final String path;
    private final int metadataBytesMax;
    private final List<String> doubts;

    /** What was read, by directory. */
    final Map<String, RetainedCheckpoint> read = new TreeMap<>();

    /** Names in any meta data, also of what cannot be read as a whole. */
    final Set<String> mentioned = new HashSet<>();

    /** Directories of the last round. */
    final Map<String, JobFiles.Entry> directories = new TreeMap<>();

    /** Those of them without meta data, with what is in them. */
    final Map<String, List<JobFiles.Entry>> incomplete = new TreeMap<>();

    /** Most of what checkpoints list is the same. */
    private final TextPool texts = new TextPool();

    private final Set<String> unreadable = new HashSet<>();
    private boolean changed;

    /**
     * @param metadataBytesMax meta data above are not read
     * @param doubts gets a sentence for each of them that is not readable
     */
    RetainedReader(JobFiles storage, String path, int metadataBytesMax, List<String> doubts) {
        this.storage = storage;
        this.path = path;
        this.metadataBytesMax = metadataBytesMax;
        this.doubts = doubts;
    }

    void readAll() throws IOException {
        Set<String> before = null;
        Set<String> lacking = null;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            changed = false;
            directories.clear();
            incomplete.clear();
            for (JobFiles.Entry entry : storage.list(path)) {
                if (entry.directory() && !JobDirectory.isShared(entry.name())) {
                    directories.put(entry.name(), entry);
                }
            }
            for (String directory : directories.keySet()) {
                if (!read.containsKey(directory) && !unreadable.contains(directory)) {
                    look(directory);
                }
            }
            if (!changed
                    && directories.keySet().equals(before)
                    && incomplete.keySet().equals(lacking)) {
                return;
            }
            before = new TreeSet<>(directories.keySet());
            lacking = new TreeSet<>(incomplete.keySet());
        }
        doubts.add("checkpoints in " + path + " come and go faster than they can be read: look again later");
    }

    private void look(String directory) throws IOException {
        List<JobFiles.Entry> entries = storage.list(path + "/" + directory);
        JobFiles.Entry metadata = metadata(entries);
        if (metadata == null) {
            incomplete.put(directory, entries);
            return;
        }
        changed = true;
        String file = path + "/" + directory + "/" + METADATA;
        try {
            byte[] bytes = storage.read(file, metadataBytesMax);
            if (bytes != null) {
                Set<String> names = MentionedNames.in(bytes);
                mentioned.addAll(texts.set(names));
                Set<String> listed = storage.listed(bytes, file);
                listed.forEach(each -> names.add(each.substring(each.lastIndexOf('/') + 1)));
                Set<String> all = texts.set(names);
                mentioned.addAll(all);
                long id = RetainedCheckpoint.id(directory);
                read.put(
                        directory,
                        new RetainedCheckpoint(id, metadata.modifiedMs(), bytes.length, texts.set(listed), all));
            }
        } catch (IOException e) {
            if (metadata(storage.list(path + "/" + directory)) == null) {
                // It has gone meanwhile, and whoever understands it looks where it was.
                return;
            }
            unreadable.add(directory);
            doubts.add(file + " cannot be read (" + e.getMessage()
                    + "): nobody knows what it refers to. If nobody needs this checkpoint, delete its directory");
        }
    }

    private static JobFiles.Entry metadata(List<JobFiles.Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.name().equals(METADATA))
                .findFirst()
                .orElse(null);
    }

    /** Whether what was read of a directory is still there. */
    boolean isRetained(String directory) throws IOException {
        return directories.containsKey(directory) && metadata(storage.list(path + "/" + directory)) != null;
    }

    /** Whether a job may be dropping all of these, of which there are some: it never drops its last one. */
    boolean mayGo(Set<String> places) throws IOException {
        for (String place : places) {
            if (isLast(read.get(place))) {
                return false;
            }
        }
        return !places.isEmpty();
    }

    /** Whether none is later by number or by time, nor has completed since all were read. */
    private boolean isLast(RetainedCheckpoint checkpoint) throws IOException {
        if (read.values().stream()
                .anyMatch(each -> each.id() > checkpoint.id() || each.completedMs() > checkpoint.completedMs())) {
            return false;
        }
        for (JobFiles.Entry entry : storage.list(path)) {
            if (entry.directory()
                    && !JobDirectory.isShared(entry.name())
                    && !read.containsKey(entry.name())
                    && metadata(storage.list(path + "/" + entry.name())) != null) {
                return false;
            }
        }
        return true;
    }
}
