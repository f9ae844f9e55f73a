package io.drey.checkpoint.retention;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of files that stand anywhere in the bytes of Flink's meta data: a superset of those that a checkpoint lists,
 * whatever kinds of handles it has.
 */
final class MentionedNames {
    /** Names that Drey gives, and those that Flink gives. */
    private static final Pattern NAME =
            Pattern.compile(SharedName.FORM + "|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private MentionedNames() {}

    static Set<String> in(byte[] metadata) {
        Set<String> names = new HashSet<>();
        Matcher matcher = NAME.matcher(new String(metadata, ISO_8859_1));
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }
}
