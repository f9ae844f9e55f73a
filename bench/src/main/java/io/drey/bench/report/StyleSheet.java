package io.drey.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The style sheet that comes with this package; it goes into the report, which needs nothing beside it. */
final class StyleSheet {
    private static final String NAME = "report.css";

    private StyleSheet() {}

    /** Colors, charts, and the page around them. */
    static String read() {
        try (InputStream in = StyleSheet.class.getResourceAsStream(NAME)) {
            if (in == null) {
                throw new IllegalStateException("expected the style sheet " + NAME + " beside "
                        + StyleSheet.class.getName() + ", found none: the jar is not whole");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the style sheet " + NAME, e);
        }
    }
}
