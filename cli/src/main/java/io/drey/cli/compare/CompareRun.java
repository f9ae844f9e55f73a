package io.drey.cli.compare;

import io.drey.bench.plan.CompareSettings;
import io.drey.bench.plan.Plan;
import io.drey.bench.result.Comparison;
import io.drey.bench.run.ComparisonRun;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.StopSignal;
import java.io.IOException;

/** One comparison, from what the user asked for to its result; its report is written anew after every cell. */
public final class CompareRun {
    private final CompareSettings settings;
    private final ReportFolder folder;
    private final ProgressLine line;

    public CompareRun(CompareSettings settings, ReportFolder folder, ProgressLine line) {
        this.settings = settings;
        this.folder = folder;
        this.line = line;
    }

    /** Runs all cells, or as many as there are when the user wants to stop. */
    public Comparison run(StopSignal stop) throws CommandException {
        try {
            Plan plan = ComparisonRun.plan(settings);
            for (Comparison.Skipped skipped : plan.skipped()) {
                line.say("Not run: " + skipped.job() + " on " + skipped.contender() + ". " + skipped.why());
            }
            ComparisonRun run = new ComparisonRun(settings, plan, new CompareProgress(line), folder::keep);
            stop.requested().thenRun(run::stop);
            return run.run();
        } catch (IOException e) {
            throw new CommandException("The comparison failed: " + e.getMessage() + ".", e);
        } finally {
            line.end();
        }
    }
}
