package io.drey.cli.demo;

import io.drey.bench.flink.FailureSentence;
import io.drey.cli.terminal.DirectoryFailure;
import io.drey.jobs.data.InputException;
import io.drey.jobs.feed.FeedSource;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sentence that tells the user of a failure: wrong input, a checkpoint of another run, something missing, or what
 * Flink failed of.
 *
 * @param restore the checkpoint that the run was to start from, or null
 * @param checkpoints where checkpoints go
 */
record DemoFailure(Path restore, Path checkpoints) {
    /** A class that could not be found, whoever looked for it; failures of other processes are only texts. */
    private static final Pattern MISSING_CLASS =
            Pattern.compile("(?s).*(?:ClassNotFoundException|NoClassDefFoundError): (\\w+[./][\\w.$/]+).*");

    /** Of why, Flink says nothing then but in its log. */
    private static final String CHECKPOINTS_FAIL = "checkpoint tolerable failure threshold";

    private static final String STATE_BACKEND = "state backend";

    String sentence(Throwable failure) {
        List<Throwable> causes = FailureSentence.causes(failure);
        for (Throwable cause : causes) {
            if (cause instanceof InputException) {
                return cause.getMessage();
            }
        }
        Throwable last = causes.get(causes.size() - 1);
        int otherRun = String.valueOf(last.getMessage()).indexOf(FeedSource.OTHER_RUN);
        if (otherRun >= 0) {
            return last.getMessage().substring(otherRun);
        }
        if (String.valueOf(last.getMessage()).contains(CHECKPOINTS_FAIL)) {
            return "A checkpoint into " + checkpoints + " failed" + DirectoryFailure.left(checkpoints) + ".";
        }
        String missing = missingClass(causes);
        if (missing != null) {
            return missing;
        }
        return restore != null && whileRestoring(causes)
                ? "The checkpoint at " + restore + " cannot be restored: it is damaged or not of this job; "
                        + FailureSentence.reason(last) + "."
                : FailureSentence.of(failure);
    }

    /** A sentence about a class that is missing; null if none is. */
    private String missingClass(List<Throwable> causes) {
        boolean backend = false;
        for (Throwable cause : causes) {
            backend |= cause.toString().contains(STATE_BACKEND);
            Matcher missing = MISSING_CLASS.matcher(cause.toString());
            if (missing.matches()) {
                String name = missing.group(1).replace('/', '.');
                if (backend) {
                    return "The state backend needs class " + name + ", which is missing: choose another --backend, or"
                            + " put the jar that has it on the class path.";
                }
                return (restore == null ? "The job" : "The job, or the checkpoint at " + restore + ",")
                        + " needs class " + name + ", which is missing: put the jar that has it on the class path.";
            }
        }
        return null;
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
}
