package io.drey.bench.report;

import io.drey.bench.figure.Agreement;
import io.drey.bench.figure.Figures;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.Comparison.JobInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The report of a comparison as one HTML file that needs nothing beside it: no network, no script, no font. Its numbers
 * come from {@link Figures}, its charts from the samples.
 */
final class HtmlReport {
    private final ReportContext context;
    private final Markup html = new Markup();

    private HtmlReport(Comparison comparison, Figures figures) {
        context = new ReportContext(comparison, figures);
    }

    /** Writes the report of a comparison, finished or not. */
    static void write(Path file, Comparison comparison, Figures figures) throws IOException {
        Files.writeString(file, of(comparison, figures));
    }

    /** The report as a text. */
    static String of(Comparison comparison, Figures figures) {
        return new HtmlReport(comparison, figures).page();
    }

    private String page() {
        Comparison comparison = context.comparison();
        html.trusted("<!doctype html>\n").open("html", "lang", "en").open("head");
        html.empty("meta", "charset", "utf-8");
        html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.element("title", "drey compare, " + context.day());
        html.open("style").trusted(StyleSheet.read()).close();
        html.close().open("body").line();
        header();
        html.element("h2", "Ratios", "id", "ratios");
        html.add(RatioTables.write(context));
        html.add(OutputSection.write(context));
        if (ScaleSection.isIn(context)) {
            html.add(ScaleSection.write(context));
        }
        for (JobInfo job : comparison.jobs()) {
            html.add(JobSection.write(context, job));
        }
        html.add(RunSection.write(context));
        return html.close().close().line().finish();
    }

    private void header() {
        Comparison comparison = context.comparison();
        html.element("h1", "State backends compared");
        html.element(
                "p",
                context.day() + " · "
                        + Quantity.counted(comparison.jobs().size(), "job", "jobs") + " · "
                        + Quantity.counted(comparison.contenders().size(), "contender", "contenders") + " · "
                        + Quantity.counted(comparison.cells().size(), "cell", "cells") + " · " + context.machine(),
                "class",
                "faint");
        html.open("nav");
        link("ratios", "Ratios");
        link("outputs", "Outputs");
        if (ScaleSection.isIn(context)) {
            link("scale", "By size");
        }
        comparison.jobs().forEach(job -> link("job-" + job.name(), job.name()));
        link("machine", "Machine");
        link("contenders", "Contenders");
        link("commands", "Commands");
        link("glossary", "Definitions");
        html.close();
        status();
        warnings();
    }

    private void link(String to, String text) {
        html.element("a", text, "href", "#" + to);
    }

    private void status() {
        switch (context.comparison().status()) {
            case "complete" -> {}
            case "running" -> box("amber", "This comparison was still running when this was written: more is to come.");
            case "interrupted" -> box("amber", "This comparison was interrupted: what had run until then is here.");
            default ->
                box(
                        "red",
                        "This comparison has an unknown status: "
                                + context.comparison().status() + ".");
        }
    }

    private void warnings() {
        for (JobFigures job : context.figures().jobs()) {
            if (job.agreement().status() == Agreement.Status.DIFFERENT) {
                html.open("div", "class", "box red").open("p", "class", "red-text");
                html.text("Outputs differ on " + job.job() + ": its figures compare different results. ");
                link("outputs", "Who differs");
                html.close().close();
            }
        }
        int failed = context.failed().size();
        int skipped = context.comparison().skipped().size();
        if (failed + skipped > 0) {
            html.open("div", "class", "box amber").open("p");
            html.text(Quantity.counted(failed, "cell", "cells") + " failed and " + skipped + " skipped: ");
            link("failed", "which and why");
            html.close().close();
        }
    }

    private void box(String color, String text) {
        html.open("div", "class", "box " + color).element("p", text).close();
    }
}
