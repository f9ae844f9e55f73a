package io.drey.bench.cell;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The jars that cells run with, as they were at first. Each cell reads them anew, so that a build meanwhile would put two
 * versions into one comparison.
 */
public final class JarsInUse {
    private final Map<Path, String> first = new LinkedHashMap<>();

    /** Looks at those of this process's class path, which cells have too, and at some more. */
    public JarsInUse(List<String> more) {
        more.forEach(this::add);
        String own = ChildCommand.jarsOnly(System.getProperty("java.class.path"));
        for (String jar : own.split(Pattern.quote(File.pathSeparator))) {
            if (!jar.isEmpty()) {
                add(jar);
            }
        }
    }

    private void add(String jar) {
        first.put(Path.of(jar), state(Path.of(jar)));
    }

    private static String state(Path jar) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(jar, BasicFileAttributes.class);
            return attributes.size() + " bytes of " + attributes.lastModifiedTime();
        } catch (IOException e) {
            return "no such file";
        }
    }

    /** What has changed, for the end of a sentence; empty if nothing has. */
    public Optional<String> change() {
        for (Map.Entry<Path, String> jar : first.entrySet()) {
            String now = state(jar.getKey());
            if (!now.equals(jar.getValue())) {
                return Optional.of(jar.getKey() + " as it was, " + jar.getValue() + ", found " + now);
            }
        }
        return Optional.empty();
    }
}
