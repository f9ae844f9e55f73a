package io.drey.checkpoint.retention;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A checkpoint that has completed and was still kept when its meta data was read.
 *
 * @param id its number, or -1 if its directory does not say
 * @param completedMs when its meta data was written, by the clock of the storage
 * @param metadataBytes their size
 * @param listed paths of the files that it lists; none if its meta data cannot be read
 * @param names of files that stand anywhere in its meta data, those of {@code listed} among them
 */
public record RetainedCheckpoint(long id, long completedMs, long metadataBytes, Set<String> listed, Set<String> names) {
    private static final Pattern DIRECTORY = Pattern.compile("chk-(\\d{1,18})");

    /** The number of the checkpoint in a directory of that name, or -1 if the name is no checkpoint's. */
    static long id(String directory) {
        Matcher matcher = DIRECTORY.matcher(directory);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }
}
