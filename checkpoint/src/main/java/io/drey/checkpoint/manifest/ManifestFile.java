package io.drey.checkpoint.manifest;

/**
 * A file of a checkpoint.
 *
 * @param name what its backend calls it; the sections of the manifest know it by this name
 * @param kind what is in it, for those who inspect checkpoints: {@link #RUN}
 * @param bytes its length
 * @param fingerprint a number that its backend tells it from others by, 0 if there is none
 */
public record ManifestFile(String name, byte kind, long bytes, long fingerprint) {
    /** A run of the store. */
    public static final byte RUN = 1;

    public ManifestFile {
        if (name.isEmpty() || bytes < 0) {
            throw new IllegalArgumentException(
                    "expected a file with a name and a length >= 0, found '" + name + "' with " + bytes);
        }
    }
}
