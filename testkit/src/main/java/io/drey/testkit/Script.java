package io.drey.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A test that anyone can read: a text file of blocks of a command, its input and the output that it must give.
 *
 * <pre>
 * # a comment
 * command flag key=value
 * a line of input
 * ----
 * the expected output, up to an empty line
 * </pre>
 *
 * Output that holds empty lines stands between {@code ----} written twice and {@code ----} written twice. With
 * {@code -Ddrey.script.rewrite} the file's outputs become what the commands gave.
 */
public final class Script {
    static final String REWRITE = "drey.script.rewrite";
    private static final String LINE = "----";

    private final Path file;
    private final List<String> lines;
    private final StringBuilder rewritten = new StringBuilder();
    private int next;

    private Script(Path file, List<String> lines) {
        this.file = file;
        this.lines = lines;
    }

    /** Carries out one command and returns its output. */
    @FunctionalInterface
    public interface Interpreter {
        String run(ScriptCommand command) throws Exception;
    }

    /** Gives each script an interpreter of its own. */
    @FunctionalInterface
    public interface InterpreterSource {
        Interpreter open() throws Exception;
    }

    /** Runs all scripts ({@code *.txt}) of a directory, which must hold at least one. */
    public static void runAll(Path directory, InterpreterSource source) throws Exception {
        List<Path> files;
        try (Stream<Path> found = Files.list(directory)) {
            files = found.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
        if (files.isEmpty()) {
            throw new AssertionError("expected scripts in " + directory + ", found none");
        }
        for (Path file : files) {
            run(file, source.open());
        }
    }

    /** Runs one script; the first output that is not as expected fails it. */
    public static void run(Path file, Interpreter interpreter) throws IOException {
        new Script(file, Files.readAllLines(file)).run(interpreter, System.getProperty(REWRITE) != null);
    }

    void run(Interpreter interpreter, boolean rewrite) throws IOException {
        int blocks = 0;
        while (skipToCommand()) {
            blocks++;
            String at = file + ":" + (next + 1);
            String line = take();
            List<String> input = new ArrayList<>();
            while (!peek(LINE)) {
                input.add(take());
            }
            take();
            String expected = expected(at);
            String found = output(interpreter, ScriptCommand.parse(at, line, input));
            if (!rewrite && !found.equals(expected)) {
                throw new AssertionError(at + ": " + line + "\nexpected:\n" + expected + "found:\n" + found
                        + "if that is right, rewrite the script by -D" + REWRITE);
            }
            rewrite(found);
        }
        if (blocks == 0) {
            throw new AssertionError("expected commands in " + file + ", found none");
        }
        if (rewrite) {
            Files.writeString(file, rewritten);
        }
    }

    private static String output(Interpreter interpreter, ScriptCommand command) {
        String found;
        try {
            found = interpreter.run(command);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(command.at() + ": " + command.name() + " failed: " + e, e);
        }
        return found.isEmpty() || found.endsWith("\n") ? found : found + "\n";
    }

    private boolean skipToCommand() {
        while (next < lines.size()
                && (lines.get(next).isBlank() || lines.get(next).startsWith("#"))) {
            take();
        }
        return next < lines.size();
    }

    private String expected(String at) {
        StringBuilder expected = new StringBuilder();
        boolean fenced = next < lines.size() && lines.get(next).equals(LINE);
        if (!fenced) {
            while (next < lines.size() && !lines.get(next).isEmpty()) {
                expected.append(lines.get(next++)).append('\n');
            }
            return expected.toString();
        }
        next++;
        while (next + 1 < lines.size()) {
            if (lines.get(next).equals(LINE) && lines.get(next + 1).equals(LINE)) {
                next += 2;
                return expected.toString();
            }
            expected.append(lines.get(next++)).append('\n');
        }
        throw new IllegalArgumentException(at + ": expected " + LINE + " twice after the output, found the end");
    }

    private void rewrite(String output) {
        boolean fenced = output.startsWith("\n") || output.contains("\n\n") || output.startsWith(LINE);
        if (fenced) {
            rewritten.append(LINE).append('\n');
        }
        rewritten.append(output);
        if (fenced) {
            rewritten.append(LINE).append('\n').append(LINE).append('\n');
        }
    }

    private boolean peek(String line) {
        if (next >= lines.size()) {
            throw new IllegalArgumentException(file + ": expected " + line + " after the last command, found the end");
        }
        return lines.get(next).equals(line);
    }

    /** The next line, which also goes into the rewritten file. */
    private String take() {
        String line = lines.get(next++);
        rewritten.append(line).append('\n');
        return line;
    }
}
