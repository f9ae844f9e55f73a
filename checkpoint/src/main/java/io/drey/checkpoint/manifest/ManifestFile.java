package io.drey.checkpoint.manifest;

/**
 * A file of a checkpoint.
 *
 * @param name what its backend calls it; the sections of the manifest know it by this name
 * @param kind what is in it, for those who inspect checkpoints: {@link #RUN}
 * @param bytes its length
 * @param checksum of its bytes as its backend counts it, 0 if it is not known
 * @param offset where it begins in the object that is listed under its name, which others share; {@link #WHOLE} if all
 *     of that object is this file
 */
public record ManifestFile(String name, byte kind, long bytes, long checksum, long offset) {
    /** A run of the store. */
    public static final byte RUN = 1;

    /** The offset of a file that is an object of its own. */
    public static final long WHOLE = -1;

    public ManifestFile {
        if (name.isEmpty() || bytes < 0 || offset < WHOLE) {
            throw new IllegalArgumentException("expected a file with a name, a length >= 0 and a place, found '" + name
                    + "' with " + bytes + " bytes at " + offset);
        }
    }

    /** Whether it shares its object with others. */
    public boolean isPacked() {
        return offset != WHOLE;
    }
}
