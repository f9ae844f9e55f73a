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
import java.util.stream.IntStream;

/**
 * The audit of one job's directory: what was found, and done. Who lists what is worked out once: there may be a
 * thousand checkpoints of ten thousand files each.
 *
 * @param needs who needs each file
 * @param failures a sentence for each file that could not be deleted
 * @param retained the oldest first
 * @param byName the places in {@link #retained} of those that list a file of this name
 */
record JobAudit(
        JobDirectory directory,
        Map<StoredFile, Need> needs,
        Set<StoredFile> deleted,
        List<String> failures,
        List<RetainedCheckpoint> retained,
        Map<String, BitSet> byName) {
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

    static JobAudit of(
            JobDirectory directory, Map<StoredFile, Need> needs, Set<StoredFile> deleted, List<String> failures) {
        List<RetainedCheckpoint> retained = directory.retained().stream()
                .sorted(Comparator.comparingLong(RetainedCheckpoint::id))
                .toList();
        Map<String, BitSet> byName = new HashMap<>();
        needs.keySet().forEach(file -> byName.put(file.name(), new BitSet()));
        for (int i = 0; i < retained.size(); i++) {
            for (String name : retained.get(i).names()) {
                BitSet known = byName.get(name);
                if (known != null) {
                    known.set(i);
                }
            }
        }
        return new JobAudit(directory, needs, deleted, failures, retained, byName);
    }

    /** The retained checkpoints here that list a file, by their places; not to be changed. */
    BitSet listers(StoredFile file) {
        return byName.get(file.name());
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
            if (end - first > 2) {
                parts.add(name(first) + " to " + name(end - 1));
            } else {
                IntStream.range(first, end).mapToObj(this::name).forEach(parts::add);
            }
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
