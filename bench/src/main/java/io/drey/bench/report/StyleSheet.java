package io.drey.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The style sheets that come with this package; they go into the files, which need nothing beside them. */
final class StyleSheet {
    private StyleSheet() {}

    /** Colors and charts. */
    static String chart() {
        return read("chart.css");
    }

    /** The page around them. */
    static String page() {
        return read("page.css");
    }

    private static String read(String name) {
        try (InputStream in = StyleSheet.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("expected the style sheet " + name + " beside "
                        + StyleSheet.class.getName() + ", found none: the jar is not whole");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the style sheet " + name, e);
        }
    }
}
