package io.drey.cli.audit;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.RetainedCheckpoint;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.Retention.Need;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The audit of one job's directory: what was found, and done. Who lists what is worked out once: there may be a
 * thousand checkpoints of ten thousand files each.
 */
final class JobAudit {
    private final JobDirectory directory;
    private final Map<StoredFile, Need> needs;
    private final Set<StoredFile> deleted;
    private final List<String> failures;
    private final List<RetainedCheckpoint> retained;

    /** The places in {@link #retained} of those that list a file of this name. */
    private final Map<String, BitSet> listers = new HashMap<>();

    /** Files, and their bytes. */
    record Amount(int files, long bytes) {
        static Amount of(List<StoredFile> files) {
            long bytes = files.stream()
                    .filter(file -> !file.directory())
                    .mapToLong(StoredFile::bytes)
                    .sum();
            return new Amount(files.size(), bytes);
        }
    }

    /**
     * @param needs who needs each file
     * @param failures a sentence for each file that could not be deleted
     */
    JobAudit(JobDirectory directory, Map<StoredFile, Need> needs, Set<StoredFile> deleted, List<String> failures) {
        this.directory = directory;
        this.needs = needs;
        this.deleted = deleted;
        this.failures = failures;
        this.retained = directory.retained().stream()
                .sorted(Comparator.comparingLong(RetainedCheckpoint::id))
                .toList();
        needs.keySet().forEach(file -> listers.put(file.name(), new BitSet()));
        for (int i = 0; i < retained.size(); i++) {
            for (String name : retained.get(i).names()) {
                BitSet known = listers.get(name);
                if (known != null) {
                    known.set(i);
                }
            }
        }
    }

    JobDirectory directory() {
        return directory;
    }

    Map<StoredFile, Need> needs() {
        return needs;
    }

    Set<StoredFile> deleted() {
        return deleted;
    }

    List<String> failures() {
        return failures;
    }

    /** The oldest first. */
    List<RetainedCheckpoint> retained() {
        return retained;
    }

    /** The retained checkpoints here that list a file, by their places; not to be changed. */
    BitSet listers(StoredFile file) {
        return listers.get(file.name());
    }

    /** Names of the retained checkpoints at some places. */
    List<String> names(BitSet places) {
        return places.stream().mapToObj(this::name).toList();
    }

    /** The same in a few words: of several that follow each other the first and the last. */
    String text(BitSet places) {
        List<String> parts = new ArrayList<>();
        int end;
        for (int first = places.nextSetBit(0); first >= 0; first = places.nextSetBit(end)) {
            end = places.nextClearBit(first);
            boolean areMany = end - first > 2;
            parts.add(name(first) + (areMany ? " to " + name(end - 1) : end - first == 2 ? ", " + name(end - 1) : ""));
        }
        return String.join(", ", parts);
    }

    private String name(int place) {
        return name(retained.get(place));
    }

    static String name(RetainedCheckpoint checkpoint) {
        return checkpoint.id() < 0 ? "a kept copy" : "chk-" + checkpoint.id();
    }

    /** Files with a need, as long as they are there. */
    List<StoredFile> left(Need need) {
        return needs.entrySet().stream()
                .filter(each -> each.getValue() == need && !deleted.contains(each.getKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What each of the {@link #retained} lists of the files that lie in its directory or with those shared. */
    List<Amount> amounts() {
        int[] files = new int[retained.size()];
        long[] bytes = new long[retained.size()];
        for (StoredFile file : needs.keySet()) {
            listers(file).stream().forEach(place -> {
                files[place]++;
                bytes[place] += file.directory() ? 0 : file.bytes();
            });
        }
        List<Amount> amounts = new ArrayList<>();
        for (int i = 0; i < files.length; i++) {
            amounts.add(new Amount(files[i], bytes[i]));
        }
        return amounts;
    }
}
