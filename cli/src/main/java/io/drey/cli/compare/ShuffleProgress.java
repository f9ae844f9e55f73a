package io.drey.cli.compare;

import io.drey.bench.shuffle.ShuffleRun;
import io.drey.cli.terminal.ProgressLine;
import java.util.Locale;

/** Tells on the terminal which run of a comparison of shuffle services is under way. */
public final class ShuffleProgress implements ShuffleRun.Listener {
    private final ProgressLine line;

    public ShuffleProgress(ProgressLine line) {
        this.line = line;
    }

    @Override
    public void started(String job, String contender, int repetition, int number, int count) {
        String run = repetition <= 0 ? "warm-up" : "run " + repetition;
        line.show(String.format(Locale.ROOT, "[%d/%d] %s on %s, %s", number, count, job, contender, run));
    }

    @Override
    public void say(String sentence) {
        line.say(sentence);
    }
}
