package io.drey.bench.report;

import io.drey.bench.figure.Spread;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes HTML and SVG. It stands apart so that nothing reaches a report unescaped: every text and every attribute's
 * value passes here, and tags that are opened have to be closed.
 */
final class Markup {
    private static final char REPLACEMENT = '\uFFFD';

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Begins an element.
     *
     * @param attributes names and values in turn; one whose value is null is left out
     */
    Markup open(String tag, String... attributes) {
        begin(tag, attributes);
        out.append('>');
        open.push(tag);
        return this;
    }

    /** Begins the cell of a table that shows a value, and tells it to programs. */
    Markup openValue(Spread value, String... attributes) {
        begin("td", attributes);
        attributes(
                "data-value",
                Double.toString(value.median()),
                "data-min",
                Double.toString(value.min()),
                "data-max",
                Double.toString(value.max()));
        out.append('>');
        open.push("td");
        return this;
    }

    /** Ends the element that was begun last. */
    Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** An element that holds nothing but a text. */
    Markup element(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    /** An element that holds nothing. */
    Markup empty(String tag, String... attributes) {
        begin(tag, attributes);
        out.append("/>");
        return this;
    }

    Markup text(String text) {
        escape(text);
        return this;
    }

    /** A new line, for people who read the source. */
    Markup line() {
        out.append('\n');
        return this;
    }

    /** What another has written; it has to be whole. */
    Markup add(Markup other) {
        out.append(other.finish());
        return this;
    }

    /** A style sheet or a document type of our own, which needs no escaping and would not survive it. */
    Markup trusted(String ours) {
        out.append(ours);
        return this;
    }

    /** All that was written. */
    String finish() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("expected every element to be closed, found open: " + open);
        }
        return out.toString();
    }

    private void begin(String tag, String... attributes) {
        out.append('<').append(tag);
        attributes(attributes);
    }

    private void attributes(String... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            if (attributes[i + 1] != null) {
                out.append(' ').append(attributes[i]).append("=\"");
                escape(attributes[i + 1]);
                out.append('"');
            }
        }
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c < ' ' && c != '\n' && c != '\t' ? REPLACEMENT : c);
            }
        }
    }

    /** A coordinate: a tenth of a pixel is enough. */
    static String at(double coordinate) {
        String text = String.format(Locale.ROOT, "%.1f", coordinate);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
