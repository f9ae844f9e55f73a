package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.worker.file.JournalRecord;
import io.drey.shuffle.worker.file.PartFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An attempt at a partition in one directory: its files, and its manifest once it is committed. Guarded by its job. */
public final class StoredPartition {
    private final PartitionKey key;
    private final StorageDirectory directory;
    private final List<PartFile> parts = new ArrayList<>();
    private Content content;
    private PartitionManifest committing;
    private long sequence;
    private boolean released;

    /** A committed partition as readers see it: immutable. */
    public static final class Content {
        private final StorageDirectory directory;
        private final PartitionManifest manifest;
        private final Map<Integer, Place> places;

        private Content(StorageDirectory directory, PartitionManifest manifest, Map<Integer, Place> places) {
            this.directory = directory;
            this.manifest = manifest;
            this.places = places;
        }

        public StorageDirectory directory() {
            return directory;
        }

        public PartitionManifest manifest() {
            return manifest;
        }

        /** Where a region is, or null if another worker holds it. */
        public Place place(int region) {
            return places.get(region);
        }

        public boolean isReleased() {
            return places.values().stream().anyMatch(each -> each.part().isReleased());
        }
    }

    /** A region in a file; the index is its place among the file's regions. */
    public record Place(PartFile part, int index) {}

    StoredPartition(PartitionKey key, StorageDirectory directory) {
        this.key = key;
        this.directory = directory;
    }

    public PartitionKey key() {
        return key;
    }

    public StorageDirectory directory() {
        return directory;
    }

    List<PartFile> parts() {
        return parts;
    }

    int nextPart() {
        return parts.isEmpty() ? 0 : parts.get(parts.size() - 1).part() + 1;
    }

    /** A complete region, in the newest file that has it, or null. */
    Place find(int region) {
        for (int i = parts.size() - 1; i >= 0; i--) {
            int index = parts.get(i).find(region);
            if (index >= 0) {
                return new Place(parts.get(i), index);
            }
        }
        return null;
    }

    private PartFile part(int number) {
        return parts.stream().filter(each -> each.part() == number).findFirst().orElse(null);
    }

    /** Null until it is committed. */
    Content content() {
        return content;
    }

    /** The manifest that is being written into the journal, or null. */
    PartitionManifest committing() {
        return committing;
    }

    void committing(PartitionManifest manifest) {
        committing = manifest;
    }

    /** Neither committed nor about to be. */
    boolean isUncommitted() {
        return content == null && committing == null;
    }

    long sequence() {
        return sequence;
    }

    void sequence(long newSequence) {
        sequence = newSequence;
    }

    void commit(PartitionManifest manifest, Map<Integer, Place> places, long newSequence) {
        content = new Content(directory, manifest, Map.copyOf(places));
        sequence = newSequence;
        committing = null;
    }

    boolean isReleased() {
        return released;
    }

    void release() {
        released = true;
        parts.forEach(PartFile::release);
    }

    /** The journal's numbers of a commit. */
    static long[] numbers(Map<Integer, Place> places) {
        long[] numbers = new long[4 * places.size()];
        int at = 0;
        for (Map.Entry<Integer, Place> each : new TreeMap<>(places).entrySet()) {
            Place place = each.getValue();
            numbers[at++] = each.getKey();
            numbers[at++] = place.part().part();
            numbers[at++] = place.part().offset(place.index());
            numbers[at++] = place.part().length(place.index());
        }
        return numbers;
    }

    /** The places that a record of the journal names, whose regions are added to the files; null if a file is gone. */
    Map<Integer, Place> places(JournalRecord record) {
        Map<Integer, Place> places = new TreeMap<>();
        for (int i = 0; i < record.regions(); i++) {
            PartFile part = part(record.part(i));
            if (part == null) {
                return null;
            }
            part.add(record.region(i), record.offset(i), record.length(i));
            places.put(record.region(i), new Place(part, part.find(record.region(i))));
        }
        return places;
    }
}
