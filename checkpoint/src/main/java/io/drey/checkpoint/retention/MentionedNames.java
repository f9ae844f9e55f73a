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
    /** Names that Drey gives, with what is before their first hyphen. */
    private static final Pattern OWN = Pattern.compile(SharedName.FORM);

    private static final int OWN_HYPHEN = "drey".length();

    /** Names that Flink gives, the same. */
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private static final int UUID_HYPHEN = 8;

    private MentionedNames() {}

    static Set<String> in(byte[] metadata) {
        Set<String> names = new HashSet<>();
        String text = new String(metadata, ISO_8859_1);
        Matcher own = OWN.matcher(text);
        Matcher uuid = UUID.matcher(text);
        // Names are rare in what may be many megabytes, and so are hyphens.
        for (int at = text.indexOf('-'); at >= 0; at = text.indexOf('-', at + 1)) {
            add(own, at - OWN_HYPHEN, names);
            add(uuid, at - UUID_HYPHEN, names);
        }
        return names;
    }

    private static void add(Matcher matcher, int begin, Set<String> names) {
        if (begin >= 0 && matcher.region(begin, matcher.regionEnd()).lookingAt()) {
            names.add(matcher.group());
        }
    }
}
