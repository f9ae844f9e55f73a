package io.drey.bench.flink;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.util.SerializedThrowable;

/**
 * Makes one sentence of a failure. Its chain of causes is long in Flink; what people need is the last that Drey says, as
 * it names places and what to do, or else the root.
 */
public final class FailureSentence {
    private static final int CHARS_MAX = 400;

    /** Of a longer one the begin says what, and the end why and what to do; between them are paths. */
    private static final int CHARS_OF_END = 200;

    private static final String CUT = " ... ";
    private static final String OURS = "io.drey.";
    private static final Pattern PACKAGES = Pattern.compile("^([a-z]\\w*\\.)+");

    private FailureSentence() {}

    /** The sentence. */
    public static String of(Throwable failure) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            if (cause.toString().contains("OutOfMemoryError")) {
                long mb = Runtime.getRuntime().maxMemory() >> 20;
                return "Out of memory, with a heap of " + mb + " MB: " + reason(cause) + ".";
            }
        }
        Throwable told = causes.get(causes.size() - 1);
        for (Throwable cause : causes) {
            told = isOurs(cause) ? cause : told;
        }
        return "The job failed: " + reason(told) + ".";
    }

    private static boolean isOurs(Throwable cause) {
        return (cause instanceof SerializedThrowable serialized
                        ? serialized.getOriginalErrorClassName()
                        : cause.getClass().getName())
                .startsWith(OURS);
    }

    /** The failure, what caused it, and so on; at least one, the root last. */
    public static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    /** The class of the failure without its packages, and the first line of its message, if long without its middle. */
    public static String reason(Throwable cause) {
        String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
        String text = cause instanceof SerializedThrowable
                ? PACKAGES.matcher(message).replaceFirst("")
                : cause.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message);
        String line = text.lines().findFirst().orElse("no reason is known").replaceAll("\\.$", "");
        if (line.length() <= CHARS_MAX) {
            return line;
        }
        String end = line.substring(line.length() - CHARS_OF_END);
        return line.substring(0, CHARS_MAX - CHARS_OF_END - CUT.length()) + CUT + end;
    }
}
