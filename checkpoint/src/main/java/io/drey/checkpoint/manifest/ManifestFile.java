package io.drey.checkpoint.manifest;

/**
 * A file of a checkpoint.
 *
 * @param name what its backend calls it; the sections of the manifest know it by this name
 * @param kind what is in it, for those who inspect checkpoints: {@link #RUN}
 * @param bytes its length
 * @param checksum of its bytes as its backend counts it, 0 if it is not known
 */
public record ManifestFile(String name, byte kind, long bytes, long checksum) {
    /** A run of the store. */
    public static final byte RUN = 1;

    public ManifestFile {
        if (name.isEmpty() || bytes < 0) {
            throw new IllegalArgumentException(
                    "expected a file with a name and a length >= 0, found '" + name + "' with " + bytes);
        }
    }
}
