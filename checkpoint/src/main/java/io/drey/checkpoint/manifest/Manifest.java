package io.drey.checkpoint.manifest;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The contents of a checkpoint of one backend: the files to fetch, and sections of bytes that other modules own, each
 * under a small number. Immutable.
 */
public final class Manifest {
    /** The section that describes the store: which parts of which files it sees. */
    public static final int STORE_IMAGE = 1;

    /** The section that describes the states: Flink's serializer snapshots. */
    public static final int STATE_META = 2;

    /** The section that says which version of Drey wrote it, as text; early manifests have none. */
    public static final int WRITER = 3;

    /** The section that says how many restores are behind it, in 4 bytes; early manifests have none. */
    public static final int GENERATION = 4;

    private final UUID backendId;
    private final long checkpointId;
    private final int keyGroupFrom;
    private final int keyGroupTo;
    private final List<ManifestFile> files;
    private final SortedMap<Integer, byte[]> sections;

    /** The key groups are {@code keyGroupFrom} to {@code keyGroupTo} inclusive; the names of files differ. */
    public Manifest(
            UUID backendId,
            long checkpointId,
            int keyGroupFrom,
            int keyGroupTo,
            List<ManifestFile> files,
            SortedMap<Integer, byte[]> sections) {
        if (keyGroupFrom < 0 || keyGroupTo < keyGroupFrom) {
            throw new IllegalArgumentException(
                    "expected a range of key groups, found " + keyGroupFrom + ".." + keyGroupTo);
        }
        Set<String> names = new HashSet<>();
        for (ManifestFile file : files) {
            if (!names.add(file.name())) {
                throw new IllegalArgumentException("expected each file once, found " + file.name() + " twice");
            }
        }
        this.backendId = backendId;
        this.checkpointId = checkpointId;
        this.keyGroupFrom = keyGroupFrom;
        this.keyGroupTo = keyGroupTo;
        this.files = List.copyOf(files);
        this.sections = new TreeMap<>();
        sections.forEach((id, bytes) -> this.sections.put(id, bytes.clone()));
    }

    /** The backend that took the checkpoint: another one after each restore. */
    public UUID backendId() {
        return backendId;
    }

    public long checkpointId() {
        return checkpointId;
    }

    public int keyGroupFrom() {
        return keyGroupFrom;
    }

    /** Inclusive. */
    public int keyGroupTo() {
        return keyGroupTo;
    }

    public List<ManifestFile> files() {
        return files;
    }

    /** The numbers of the sections that are there, ascending. */
    public Set<Integer> sections() {
        return Collections.unmodifiableSet(sections.keySet());
    }

    /** A copy of a section that must be there. */
    public byte[] section(int id) {
        byte[] bytes = sections.get(id);
        if (bytes == null) {
            throw new IllegalArgumentException("expected section " + id + " in the manifest of checkpoint "
                    + checkpointId + ", found only " + sections.keySet());
        }
        return bytes.clone();
    }

    /**
     * Restores since the first checkpoint that it descends from, as far as manifests say: if two hold the same key
     * group, the one with more is of later.
     */
    public int generation() {
        byte[] bytes = sections.get(GENERATION);
        return bytes == null ? 0 : ByteBuffer.wrap(bytes).getInt();
    }

    /** The bytes of its section. */
    public static byte[] generation(int generation) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(generation).array();
    }

    /** Bytes of all files together. */
    public long bytes() {
        long sum = 0;
        for (ManifestFile file : files) {
            sum += file.bytes();
        }
        return sum;
    }

    @Override
    public String toString() {
        return "checkpoint " + checkpointId + " of backend " + backendId + ", key groups " + keyGroupFrom + ".."
                + keyGroupTo + ", " + files.size() + " files, " + bytes() + " bytes, sections " + sections.keySet();
    }
}
