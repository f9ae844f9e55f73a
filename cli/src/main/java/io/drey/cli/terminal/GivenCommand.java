package io.drey.cli.terminal;

import io.drey.bench.format.ShellWords;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The command as the user gave it, to be repeated with other options: a shell takes it as it is. */
public final class GivenCommand {
    /** How the user called the launcher, which says so. */
    private static final String LAUNCHER = System.getProperty("drey.command", "drey");

    private GivenCommand() {}

    /** All of a subcommand's words, without some options and with more at the end. */
    public static String text(CommandSpec spec, List<String> without, List<String> more) {
        return text(LAUNCHER, spec, without, more);
    }

    /** The same, called by the launcher in the project's directory. */
    public static String inProject(CommandSpec spec, List<String> without) {
        return text("./drey", spec, without, List.of());
    }

    private static String text(String launcher, CommandSpec spec, List<String> without, List<String> more) {
        List<String> words = new ArrayList<>(List.of(launcher));
        words.addAll(List.of(spec.qualifiedName().replaceFirst("^drey ", "").split(" ")));
        ParseResult parsed = spec.commandLine().getParseResult();
        for (PositionalParamSpec positional : parsed.matchedPositionals()) {
            words.addAll(positional.originalStringValues());
        }
        // An option that was given twice is matched twice, with both values each time.
        for (OptionSpec option : new LinkedHashSet<>(parsed.matchedOptions())) {
            if (!without.contains(option.longestName())) {
                add(words, option, option.longestName());
            }
        }
        words.addAll(more);
        return ShellWords.text(words);
    }

    private static void add(List<String> words, ArgSpec option, String name) {
        if (option.arity().max() == 0) {
            // Its value is "true", which nobody gave.
            words.add(name);
            return;
        }
        for (String value : option.originalStringValues()) {
            words.add(name);
            words.add(value);
        }
    }
}
