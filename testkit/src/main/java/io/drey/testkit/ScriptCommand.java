package io.drey.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One command of a script: a name, arguments {@code key=value} or just {@code key}, and lines of input. */
public final class ScriptCommand {
    private final String at;
    private final String name;
    private final Map<String, String> arguments;
    private final List<String> input;

    private ScriptCommand(String at, String name, Map<String, String> arguments, List<String> input) {
        this.at = at;
        this.name = name;
        this.arguments = arguments;
        this.input = input;
    }

    static ScriptCommand parse(String at, String line, List<String> input) {
        String[] words = line.trim().split("\\s+");
        Map<String, String> arguments = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String key = equals < 0 ? words[i] : words[i].substring(0, equals);
            if (arguments.put(key, equals < 0 ? "" : words[i].substring(equals + 1)) != null) {
                throw new IllegalArgumentException(at + ": expected argument " + key + " once, found it twice");
            }
        }
        return new ScriptCommand(at, words[0], arguments, List.copyOf(input));
    }

    public String name() {
        return name;
    }

    public List<String> input() {
        return input;
    }

    public boolean has(String key) {
        return arguments.containsKey(key);
    }

    /** The value of an argument that must be there. */
    public String text(String key) {
        String value = arguments.get(key);
        if (value == null) {
            throw unknown("expected an argument " + key + ", found only " + arguments.keySet());
        }
        return value;
    }

    public String text(String key, String otherwise) {
        return arguments.getOrDefault(key, otherwise);
    }

    public long number(String key) {
        return Long.parseLong(text(key));
    }

    public long number(String key, long otherwise) {
        return has(key) ? number(key) : otherwise;
    }

    /** The keys of all arguments, in order. */
    public List<String> arguments() {
        return List.copyOf(arguments.keySet());
    }

    /** What to throw for a command that the test does not know. */
    public IllegalArgumentException unknown() {
        return unknown("expected a known command, found " + name);
    }

    private IllegalArgumentException unknown(String message) {
        return new IllegalArgumentException(at + ": " + message);
    }

    String at() {
        return at;
    }
}
