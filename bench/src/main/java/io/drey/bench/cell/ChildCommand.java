package io.drey.bench.cell;

import io.drey.bench.result.CellSpec;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * The command that runs a cell, or something else, in a virtual machine of its own: this one's Java and class path.
 */
public final class ChildCommand {
    /** What Flink opens in its own start scripts. */
    private static final List<String> OPENED = List.of(
            "java.lang",
            "java.net",
            "java.io",
            "java.nio",
            "sun.nio.ch",
            "java.lang.reflect",
            "java.text",
            "java.time",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks");

    /** From this version on the JDK warns of what Flink and RocksDB do. */
    private static final int WARNS_SINCE = 24;

    private static final List<String> NO_WARNINGS =
            List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");

    private ChildCommand() {}

    /**
     * The words of the command.
     *
     * @param specFile has the cell
     * @param resultFile will have its result
     * @param archive options of the virtual machine that make or use a {@link ClassArchive}, or none
     */
    static List<String> of(CellSpec spec, Path specFile, Path resultFile, List<String> archive) {
        // As Flink's scripts start a task manager: the whole heap from the start.
        List<String> words = javaBeside(
                List.of(
                        "-Xms" + spec.memory().heapBytes(),
                        "-Xmx" + spec.memory().heapBytes()),
                resultFile);
        words.addAll(archive);
        words.add("-cp");
        String own = System.getProperty("java.class.path");
        words.add(classPath(spec.jars(), archive.isEmpty() ? own : jarsOnly(own)));
        words.add(CellMain.class.getName());
        words.add(specFile.toAbsolutePath().toString());
        words.add(resultFile.toAbsolutePath().toString());
        return words;
    }

    /**
     * The words that start this process's Java with its class path and a log of Flink's; a main class and its arguments
     * follow.
     *
     * @param options of the virtual machine
     * @param log the file
     */
    public static List<String> java(List<String> options, Path log) {
        List<String> words = javaBeside(options, log);
        words.add("-D" + CellMain.LOG_PROPERTY + "=" + log.toAbsolutePath());
        words.add("-Dlog4j2.configurationFile=" + CellMain.logging());
        words.add("-cp");
        words.add(System.getProperty("java.class.path"));
        return words;
    }

    /** A virtual machine that crashes says so in a file beside another one, and not where the user happens to be. */
    private static List<String> javaBeside(List<String> options, Path file) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(options);
        words.add("-XX:+UseG1GC");
        words.add("-XX:-UsePerfData");
        words.add("-XX:ErrorFile=" + file.toAbsolutePath().resolveSibling("hs_err_pid%p.log"));
        for (String name : OPENED) {
            words.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
        }
        if (Runtime.version().feature() >= WARNS_SINCE) {
            words.addAll(NO_WARNINGS);
        }
        return words;
    }

    /**
     * A class path without directories, of which an archive of classes allows none; they hold the command, no cell
     * needs them.
     */
    static String jarsOnly(String classPath) {
        StringJoiner jars = new StringJoiner(File.pathSeparator);
        for (String entry : classPath.split(Pattern.quote(File.pathSeparator))) {
            if (entry.endsWith(".jar")) {
                jars.add(entry);
            }
        }
        return jars.toString();
    }

    /**
     * Jars followed by a class path, whose entries stay as they are, such as {@code lib/*}. So the classes of a jar are
     * used, also where we have some of the same names: another version of the same backend.
     */
    static String classPath(List<String> jars, String own) {
        StringJoiner path = new StringJoiner(File.pathSeparator);
        jars.forEach(path::add);
        return path.add(own).toString();
    }
}
