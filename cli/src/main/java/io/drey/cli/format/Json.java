package io.drey.cli.format;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes maps, lists, texts, numbers, booleans and nulls as indented JSON. */
public final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    /** The JSON of a value, with a newline at the end. */
    public static String of(Object value) {
        Json json = new Json();
        json.value(value, "");
        return json.out.append('\n').toString();
    }

    private void value(Object value, String indent) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof String text) {
            text(text);
        } else if (value instanceof Map<?, ?> map) {
            object(map, indent);
        } else if (value instanceof List<?> list) {
            array(list, indent);
        } else {
            throw new IllegalArgumentException(
                    "No JSON for a " + value.getClass().getName());
        }
    }

    private void object(Map<?, ?> map, String indent) {
        String inner = indent + "  ";
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        out.append('{');
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            out.append('\n').append(inner);
            text((String) entry.getKey());
            out.append(": ");
            value(entry.getValue(), inner);
            out.append(entries.hasNext() ? "," : "\n" + indent);
        }
        out.append('}');
    }

    private void array(List<?> list, String indent) {
        String inner = indent + "  ";
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
            out.append('\n').append(inner);
            value(list.get(i), inner);
            out.append(i + 1 < list.size() ? "," : "\n" + indent);
        }
        out.append(']');
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }
}
