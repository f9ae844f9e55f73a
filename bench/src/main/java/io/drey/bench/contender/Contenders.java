package io.drey.bench.contender;

import io.drey.bench.contender.Contender.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Finds contenders by what a user writes: the names that are known here, and definitions of further ones. */
public final class Contenders {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]*");
    private static final Pattern CLASS = Pattern.compile("([\\p{Alpha}_$][\\w$]*\\.)+[\\p{Alpha}_$][\\w$]*");
    private static final Pattern SEPARATOR = Pattern.compile("(?<!\\\\);");
    private static final String JAR = "jar";
    private static final String FORM = "a contender is NAME, or NEW-NAME=FACTORY-CLASS[;jar=FILE][;OPTION=VALUE]..., or"
            + " NEW-NAME=NAME[;OPTION=VALUE]...";

    private final List<Contender> builtIn;

    /**
     * @param managedBytes Flink's managed memory, to which the tuned contender is scaled
     */
    public Contenders(long managedBytes) {
        this.builtIn = BuiltIn.all(managedBytes);
    }

    /** The names of those that are known here. */
    public static List<String> names() {
        return BuiltIn.all(0).stream().map(Contender::name).toList();
    }

    /**
     * One that is known here.
     *
     * @throws IllegalArgumentException if there is none of this name; the message says which there are
     */
    public Contender named(String name) {
        Contender found = find(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "There is no contender '" + name + "'; there are " + String.join(", ", names()) + ".");
        }
        return found;
    }

    private Contender find(String name) {
        for (Contender contender : builtIn) {
            if (contender.name().equals(name)) {
                return contender;
            }
        }
        return null;
    }

    /**
     * What a user wrote: the name of one that is known here, or a new name for a factory class or for one that is
     * known, with options that are added or take the place of others. A semicolon in a value is written {@code \;}.
     *
     * @throws IllegalArgumentException if it is no contender; the message says what was expected
     */
    public Contender parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            return named(text.strip());
        }
        String name = text.substring(0, equals).strip();
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("In '" + text + "' the name '" + name
                    + "' is to have lower case letters, digits, dots and hyphens only; " + FORM + ".");
        }
        if (find(name) != null) {
            throw new IllegalArgumentException("In '" + text + "' the name '" + name
                    + "' is taken by a contender that is known already: choose another one.");
        }
        String[] parts = SEPARATOR.split(text.substring(equals + 1), -1);
        Contender start = start(text, name, parts[0].strip());
        Map<String, String> options = new HashMap<>(start.options());
        List<String> jars = new ArrayList<>();
        List<String> added = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            addPart(text, parts[i].strip().replace("\\;", ";"), options, jars, added);
        }
        String title = added.isEmpty() ? start.title() : start.title() + " with " + String.join(", ", added);
        return new Contender(name, title, options, jars, start.home(), start.directIo());
    }

    private Contender start(String text, String name, String type) {
        Contender known = find(type);
        if (known != null) {
            return known;
        }
        if (!CLASS.matcher(type).matches()) {
            throw new IllegalArgumentException("In '" + text + "' expected the full name of a factory class or one of "
                    + String.join(", ", names()) + " after '" + name + "=', found '" + type + "'; " + FORM + ".");
        }
        String simple = type.substring(type.lastIndexOf('.') + 1);
        return new Contender(
                name, name + " (" + simple + ")", Map.of(BuiltIn.TYPE, type), List.of(), Home.DISK, Map.of());
    }

    private static void addPart(
            String text, String part, Map<String, String> options, List<String> jars, List<String> added) {
        int equals = part.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException("In '" + text + "' expected OPTION=VALUE or jar=FILE, found '" + part
                    + "' (a semicolon in a value is written \\;).");
        }
        String key = part.substring(0, equals).strip();
        String value = part.substring(equals + 1).strip();
        if (key.equals(JAR)) {
            Path jar = Path.of(value).toAbsolutePath();
            if (!Files.isReadable(jar)) {
                throw new IllegalArgumentException("In '" + text + "' the jar " + jar + " cannot be read.");
            }
            jars.add(jar.toString());
        } else {
            options.put(key, value);
            added.add(key + "=" + value);
        }
    }
}
