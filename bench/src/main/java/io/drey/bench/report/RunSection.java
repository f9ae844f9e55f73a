package io.drey.bench.report;

import io.drey.bench.figure.Figure;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.Comparison.ContenderInfo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that is needed to believe the figures and to repeat them: machine, versions, contenders, commands. */
final class RunSection {
    private final ReportContext context;
    private final Comparison comparison;
    private final Markup html = new Markup();

    private RunSection(ReportContext context) {
        this.context = context;
        comparison = context.comparison();
    }

    static Markup write(ReportContext context) {
        RunSection section = new RunSection(context);
        section.machine();
        section.contenders();
        section.didNotRun();
        section.commands();
        section.glossary();
        return section.html;
    }

    private void machine() {
        Comparison.Machine machine = comparison.machine();
        html.element("h2", "Machine and versions", "id", "machine")
                .open("div", "class", "wide")
                .open("table");
        row("Processor", machine.processor() + ", " + machine.cores() + " cores used");
        row("Memory", context.memory());
        row("System", machine.system());
        row("Disk", machine.disk());
        Comparison.Disk disk = comparison.disk();
        if (disk != null) {
            row("Ration of the state's disk", ration(disk));
        }
        new TreeMap<>(comparison.versions()).forEach(this::row);
        row("Started, finished", comparison.startedAt() + ", " + finished());
        if (!comparison.cells().isEmpty()) {
            CellSpec.Time time = comparison.cells().get(0).spec().time();
            row(
                    "Times of a cell",
                    Quantity.millis(time.warmUpMs()) + " of warm-up, " + Quantity.millis(time.measureMs())
                            + " measured, a checkpoint every " + Quantity.millis(time.checkpointIntervalMs()));
        }
        html.close().close();
        html.open("p")
                .text("The whole comparison again: ")
                .element("code", comparison.command())
                .close();
    }

    private String finished() {
        return comparison.finishedAt() == null ? "not finished" : comparison.finishedAt();
    }

    private void row(String name, String value) {
        html.open("tr")
                .element("th", name)
                .element("td", value, "class", "text")
                .close();
    }

    private void contenders() {
        html.element("h2", "Contenders", "id", "contenders")
                .open("div", "class", "wide")
                .open("table");
        html.open("thead").open("tr").element("th", "Contender").element("th", "Managed memory");
        html.element("th", "Heap, at most").element("th", "Configuration", "class", "text");
        html.close().close().open("tbody");
        for (ContenderInfo contender : comparison.contenders()) {
            CellSpec spec = firstOf(contender.name());
            html.open("tr").open("th").text(contender.title() + " ");
            html.element("code", contender.name(), "class", "faint").close();
            html.element("td", spec == null ? "–" : Quantity.size(spec.memory().managedBytes()));
            html.element("td", spec == null ? "–" : Quantity.size(spec.memory().heapBytes()));
            Map<String, String> configuration =
                    spec == null || spec.configuration().isEmpty() ? contender.configuration() : spec.configuration();
            html.open("td", "class", "text")
                    .element("code", lines(configuration))
                    .close();
            html.close();
        }
        html.close().close().close().line();
    }

    private CellSpec firstOf(String contender) {
        for (CellResult cell : comparison.cells()) {
            if (cell.spec().contender().equals(contender)) {
                return cell.spec();
            }
        }
        return null;
    }

    private static String lines(Map<String, String> configuration) {
        StringBuilder lines = new StringBuilder();
        new TreeMap<>(configuration)
                .forEach((option, value) -> lines.append(lines.length() == 0 ? "" : "\n")
                        .append(option)
                        .append(": ")
                        .append(value));
        return lines.toString();
    }

    private void didNotRun() {
        List<CellResult> failed = context.failed();
        if (failed.isEmpty() && comparison.skipped().isEmpty()) {
            return;
        }
        html.element("h2", "What failed, and what was skipped", "id", "failed").open("ul");
        for (CellResult cell : failed) {
            html.open("li").element("strong", cell.spec().id() + " failed: ", "class", "red-text");
            html.text(cell.error()).close();
        }
        for (Comparison.Skipped skipped : comparison.skipped()) {
            html.open("li")
                    .element("strong", skipped.job() + " on " + context.title(skipped.contender()) + " skipped: ");
            html.text(skipped.why()).close();
        }
        html.close().line();
    }

    private void commands() {
        html.element("h2", "Repeat a cell", "id", "commands").open("details");
        html.element(
                "summary", "The command of each of the " + comparison.cells().size() + " cells, in their order");
        html.open("div", "class", "wide").open("table").open("tbody");
        for (CellResult cell : comparison.cells()) {
            html.open("tr").element("th", cell.spec().id());
            html.open("td", "class", "text").element("code", cell.command()).close();
            html.close().line();
        }
        html.close().close().close().close();
    }

    private void glossary() {
        html.element("h2", "What the figures mean", "id", "glossary");
        html.element(
                "p",
                "A percentile of n values in order is the one at place p/100 · (n − 1), counted from 0, on the"
                        + " straight line between neighbours. A figure is worked out for each repetition; shown are the"
                        + " median over the repetitions and the extremes. Numbers have three significant digits, KB are"
                        + " 1,024 bytes. Repetition 0 fills the state and is not measured but for its rate.");
        html.open("dl");
        for (Figure figure : Figure.values()) {
            html.open("dt", "id", "figure-" + figure.json()).text(figure.title() + " ");
            html.element("code", figure.json(), "class", "faint").close();
            html.element("dd", figure.definition());
        }
        html.close().line();
    }

    /** The limits of a disk, in words. */
    static String ration(Comparison.Disk disk) {
        String bandwidth = disk.bandwidth() > 0 ? ", " + Quantity.size(disk.bandwidth()) + " a second" : "";
        return Quantity.count(disk.iops()) + " I/Os of at most 256 KB a second" + bandwidth + "; "
                + Quantity.count(disk.burstIops()) + " a second for " + Quantity.count(disk.burstCredits())
                + " I/Os of burst credit";
    }
}
