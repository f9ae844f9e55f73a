package io.drey.cli.doctor;

import io.drey.cli.doctor.finding.FindingList;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** Looks again and again, also over the minutes in which a JobManager changes or a job is started again. */
public final class Watch {
    /** Looks in a row that may fail, once one has succeeded: those of five minutes at least. */
    static final int FAILURES_MAX = 30;

    private final Look look;
    private final Duration pause;

    /** Looks once. */
    @FunctionalInterface
    public interface Look {
        FindingList at() throws IOException, InterruptedException;
    }

    /** Shows what was found; false if nobody reads it. */
    @FunctionalInterface
    public interface Show {
        boolean isRead(FindingList found) throws IOException;
    }

    public Watch(Look look) {
        this(look, Duration.ofSeconds(10));
    }

    Watch(Look look, Duration pause) {
        this.look = look;
        this.pause = pause;
    }

    /**
     * Until nobody reads any more; throws what a first look fails with, or too many in a row.
     *
     * @param say says that a look has failed
     * @return the exit code of the last look
     */
    public int run(Show show, Consumer<String> say) throws IOException, InterruptedException {
        FindingList found = look.at();
        while (show.isRead(found)) {
            found = again(say);
        }
        return found.exitCode();
    }

    private FindingList again(Consumer<String> say) throws IOException, InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return look.at();
            } catch (IOException e) {
                if (failures > FAILURES_MAX) {
                    throw e;
                }
                if (failures == 1) {
                    say.accept(e.getMessage() + " It is looked for again, for some minutes.");
                }
                Thread.sleep(pause.toMillis());
            }
        }
    }
}
