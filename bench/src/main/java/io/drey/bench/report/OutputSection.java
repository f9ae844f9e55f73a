package io.drey.bench.report;

import io.drey.bench.figure.Agreement;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.format.Quantity;
import java.time.Instant;

/** Says of each job that all contenders produced the same output, or in red that they did not. */
final class OutputSection {
    private OutputSection() {}

    static Markup write(ReportContext context) {
        Markup html = new Markup();
        html.element("h2", "Outputs", "id", "outputs");
        html.element(
                "p",
                "A figure counts only if the result is right. Each cell sums up the digests of its output rows by"
                        + " stretch of event time; stretches that several contenders completed have to be equal. A"
                        + " cell that restored a part of a stretch does not count there.");
        for (JobFigures job : context.figures().jobs()) {
            write(html, context, job);
        }
        return html;
    }

    private static void write(Markup html, ReportContext context, JobFigures job) {
        Agreement agreement = job.agreement();
        String compared = Quantity.counted(agreement.commonBuckets(), "common stretch", "common stretches") + " with "
                + Quantity.counted(agreement.commonRows(), "row", "rows");
        switch (agreement.status()) {
            case AGREED ->
                html.open("p", "data-agreement", "AGREED")
                        .text("✓ " + job.job() + ": all equal in " + compared + ".")
                        .close();
            case NOT_COMPARABLE -> {
                html.open("div", "class", "box amber", "data-agreement", "NOT_COMPARABLE");
                html.element(
                        "p",
                        "? " + job.job() + ": not comparable. Nothing differs in " + compared
                                + ", but not every contender finished a stretch after its restore that another finished"
                                + " too.");
                html.close();
            }
            case DIFFERENT -> {
                html.open("div", "class", "box red", "data-agreement", "DIFFERENT");
                html.element("p", "✗ " + job.job() + ": outputs differ, in " + compared + ".", "class", "red-text");
                html.open("ul");
                for (Agreement.Dissent dissent : agreement.dissents()) {
                    html.element("li", sentence(context, dissent));
                }
                html.close().close();
            }
        }
        if (!agreement.unchecked().isEmpty()) {
            html.element(
                    "p", "Compared with nobody: " + String.join(", ", agreement.unchecked()) + ".", "class", "faint");
        }
        html.line();
    }

    private static String sentence(ReportContext context, Agreement.Dissent dissent) {
        return context.title(dissent.contender()) + " differs from the others in "
                + Quantity.counted(dissent.buckets(), "stretch", "stretches") + "; the first begins at event time "
                + Instant.ofEpochMilli(dissent.firstStart()) + " (" + dissent.firstStart() + " ms): expected "
                + dissent.expected() + ", found " + dissent.found() + ". Cells: " + String.join(", ", dissent.cells())
                + ".";
    }
}
