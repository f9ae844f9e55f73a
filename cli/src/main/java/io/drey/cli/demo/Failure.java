package io.drey.cli.demo;

import io.drey.cli.terminal.CommandException;
import io.drey.jobs.data.InputException;
import io.drey.jobs.feed.FeedSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.util.SerializedThrowable;

/** Makes one sentence of a failure: its chain of causes is long in Flink, and its cause is what the user needs. */
final class Failure {
    private static final int SENTENCE_CHARS_MAX = 400;
    private static final Pattern PACKAGES = Pattern.compile("^([a-z]\\w*\\.)+");

    private Failure() {}

    static CommandException of(Throwable failure, DemoSettings settings) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            if (cause instanceof InputException) {
                return new CommandException(cause.getMessage(), failure);
            }
        }
        Throwable last = causes.get(causes.size() - 1);
        if (String.valueOf(last.getMessage()).contains(FeedSource.OTHER_RUN)) {
            return new CommandException(
                    last.getMessage().substring(last.getMessage().indexOf(FeedSource.OTHER_RUN)), failure);
        }
        Path restore = settings.checkpoints().restore();
        String log = " (Flink's log is in " + settings.cluster().workDirectory().resolve("demo.log") + ".)";
        if (restore != null && whileRestoring(causes)) {
            return new CommandException(
                    "The checkpoint at " + restore + " cannot be restored: it is damaged or not of this job; "
                            + reason(last) + "." + log,
                    failure);
        }
        return new CommandException("The run failed: " + reason(last) + "." + log, failure);
    }

    /** Flink reads a checkpoint when it creates the job and when it opens the operators. */
    private static boolean whileRestoring(List<Throwable> causes) {
        for (Throwable cause : causes) {
            String text = cause.toString();
            if (text.contains("JobInitializationException") || text.contains("StreamOperatorStateContext")) {
                return true;
            }
        }
        return false;
    }

    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Throwable cause = failure;
        while (cause != null && seen.add(cause)) {
            causes.add(cause);
            cause = cause.getCause();
        }
        return causes;
    }

    /** The class of the failure without its packages, and the first line of its message. */
    private static String reason(Throwable cause) {
        String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
        String text = cause instanceof SerializedThrowable
                ? PACKAGES.matcher(message).replaceFirst("")
                : cause.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
        String line = text.replaceAll("\\.$", "").lines().findFirst().orElse("no reason is known");
        return line.length() <= SENTENCE_CHARS_MAX ? line : line.substring(0, SENTENCE_CHARS_MAX) + "...";
    }
}
