package io.drey.checkpoint.retention;

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
