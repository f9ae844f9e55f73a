package io.drey.checkpoint.retention;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of an uploaded file: {@code drey-<first>-<number>-<store>}. No name is given twice: the store is one life of
 * one subtask, and it counts its files.
 *
 * @param first the first checkpoint that may complete with it. Once a checkpoint of that number or above has completed without
 *     listing the file, no later one lists it
 * @param number counts the files of the store
 * @param store 16 hexadecimal digits
 */
public record SharedName(long first, long number, String store) {
    /** Of a file of a log that had seen no checkpoint: the next one may complete with it, whatever its number. */
    public static final long UNKNOWN_FIRST = 999_999_999_999_999_999L;

    /** In a text of any kind: nothing that may follow it could be a part of it. */
    static final String FORM = "drey-\\d{1,18}-\\d{1,18}-[0-9a-f]{16}";

    private static final Pattern PARTS = Pattern.compile("drey-(\\d{1,18})-(\\d{1,18})-([0-9a-f]{16})");

    /** The parts of a name, or null if it is none of Drey. */
    public static SharedName parse(String name) {
        Matcher matcher = PARTS.matcher(name);
        return matcher.matches()
                ? new SharedName(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), matcher.group(3))
                : null;
    }

    public String text() {
        return "drey-" + first + "-" + number + "-" + store;
    }
}
