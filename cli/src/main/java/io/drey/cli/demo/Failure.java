package io.drey.cli.demo;

import io.drey.bench.cell.FailureSentence;
import io.drey.cli.terminal.CommandException;
import io.drey.jobs.data.InputException;
import io.drey.jobs.feed.FeedSource;
import java.nio.file.Path;
import java.util.List;

/** Says what a failure of the demo means for its user: wrong input, a checkpoint of another run, or what Flink failed of. */
final class Failure {
    private Failure() {}

    static CommandException of(Throwable failure, DemoSettings settings) {
        List<Throwable> causes = FailureSentence.causes(failure);
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
                            + FailureSentence.reason(last) + "." + log,
                    failure);
        }
        return new CommandException("The run failed: " + FailureSentence.reason(last) + "." + log, failure);
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
