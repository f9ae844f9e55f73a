package io.drey.bench.report;

import io.drey.bench.figure.BurstCredit;
import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.Comparison.JobInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One job: what it got to do, its charts over time, all its figures, and what a reader has to know about them. */
final class JobSection {
    private final ReportContext context;
    private final JobInfo info;
    private final JobFigures job;

    /** In the order of the report, only contenders of which a cell succeeded. */
    private final Map<String, CellLines> lines = new LinkedHashMap<>();

    private final Markup html = new Markup();

    private JobSection(ReportContext context, JobInfo info) {
        this.context = context;
        this.info = info;
        job = context.figures().job(info.name());
        for (ContenderFigures contender : job.contenders()) {
            CellLines cells = new CellLines(context.comparison(), job.job(), contender);
            if (cells.typical() != null) {
                lines.put(contender.contender(), cells);
            }
        }
    }

    static Markup write(ReportContext context, JobInfo info) {
        return new JobSection(context, info).write();
    }

    private Markup write() {
        html.open("section", "id", "job-" + info.name());
        html.element("h2", info.name());
        html.element("p", sentence(info.purpose()) + " " + load());
        notes();
        if (!lines.isEmpty()) {
            legend();
            chart("Events per second", LineChart.draw(throughput()));
            chart("Events per second while filling", LineChart.draw(fill()));
            chart("I/Os of the state's device per second", ios());
            chart("Duration of checkpoints", checkpoints());
            cores();
        }
        html.element("h3", "All figures");
        html.add(FigureTable.write(context, job));
        return html.close().line();
    }

    private static String sentence(String text) {
        return text.isEmpty() ? "" : Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
    }

    private String load() {
        CellSpec.Load load = info.load();
        String rows = load.rowBytesMax() == 0
                ? ""
                : ", rows of " + Quantity.size(load.rowBytesMin()) + " to " + Quantity.size(load.rowBytesMax());
        return Quantity.count(load.alive()) + " " + info.unit() + " alive, keys " + load.keys() + rows + ", seed "
                + load.seed() + ".";
    }

    private void notes() {
        List<ContenderFigures> noted = job.contenders().stream()
                .filter(contender -> !contender.notes().isEmpty())
                .toList();
        if (noted.isEmpty()) {
            return;
        }
        html.open("div", "class", "box amber")
                .element("p", "Before believing these figures:")
                .open("ul");
        for (ContenderFigures contender : noted) {
            for (String note : contender.notes()) {
                html.element("li", context.title(contender.contender()) + ": " + note);
            }
        }
        html.close().close();
    }

    private void legend() {
        html.open("ul", "class", "legend");
        for (String contender : lines.keySet()) {
            html.open("li", "class", context.style(contender)).element("i", "").text(context.title(contender));
            html.close();
        }
        html.close();
        html.element(
                "p",
                "Strong lines: the repetition whose median rate is the median. Thin lines: the other repetitions.",
                "class",
                "faint");
    }

    private void chart(String title, Markup svg) {
        if (svg != null) {
            html.element("h3", title)
                    .open("div", "class", "wide")
                    .add(svg)
                    .close()
                    .line();
        }
    }

    private double seconds() {
        double longest = 0;
        for (CellLines cells : lines.values()) {
            longest = Math.max(longest, CellLines.end(cells.typical()));
            for (CellResult other : cells.others()) {
                longest = Math.max(longest, CellLines.end(other));
            }
        }
        return longest;
    }

    private double warmUp() {
        return lines.values().stream()
                .mapToDouble(cells -> CellLines.warmUp(cells.typical()))
                .min()
                .orElse(0);
    }

    private LineChart.Picture throughput() {
        return new LineChart.Picture(
                "Events per second over time on " + job.job(),
                "events/s",
                LineChart.Across.seconds(seconds()),
                series(CellLines::events),
                burstEnds(),
                List.of(),
                warmUp());
    }

    private LineChart.Picture fill() {
        List<Series> series = new ArrayList<>();
        double longest = 0;
        for (CellResult cell : context.comparison().cells()) {
            boolean isFill = cell.spec().job().equals(job.job()) && cell.spec().fills() && cell.error() == null;
            if (isFill && !cell.samples().isEmpty()) {
                String contender = cell.spec().contender();
                longest = Math.max(longest, CellLines.end(cell));
                series.add(
                        new Series(context.title(contender), context.style(contender), CellLines.events(cell), false));
            }
        }
        return new LineChart.Picture(
                "Events per second over time while " + job.job() + " is filled",
                "events/s",
                LineChart.Across.seconds(longest),
                series,
                List.of(),
                List.of(),
                0);
    }

    private List<Series> series(Function<CellResult, List<Series.Point>> points) {
        List<Series> series = new ArrayList<>();
        lines.forEach((contender, cells) -> {
            for (CellResult other : cells.others()) {
                series.add(new Series(null, context.style(contender), points.apply(other), false));
            }
        });
        lines.forEach((contender, cells) -> series.add(
                new Series(context.title(contender), context.style(contender), points.apply(cells.typical()), false)));
        return series;
    }

    private List<LineChart.Moment> burstEnds() {
        List<LineChart.Moment> ends = new ArrayList<>();
        lines.forEach((contender, cells) -> BurstCredit.usedUp(
                        cells.typical().samples(), context.comparison().disk())
                .ifPresent(second -> ends.add(new LineChart.Moment(
                        second,
                        context.title(contender) + ": burst used up, " + Math.round(second) + " s",
                        context.style(contender)))));
        return ends;
    }

    private Markup ios() {
        Comparison.Disk disk = context.comparison().disk();
        if (disk == null) {
            return null;
        }
        List<LineChart.Level> levels = new ArrayList<>();
        levels.add(new LineChart.Level(disk.iops(), "lasting: " + Quantity.count(disk.iops()) + " I/Os a second"));
        if (disk.burstIops() > disk.iops()) {
            levels.add(new LineChart.Level(disk.burstIops(), "burst: " + Quantity.count(disk.burstIops())));
        }
        return LineChart.draw(new LineChart.Picture(
                "I/Os of the device per second over time on " + job.job(),
                "I/Os of at most 256 KB a second",
                LineChart.Across.seconds(seconds()),
                series(CellLines::ios),
                burstEnds(),
                levels,
                warmUp()));
    }

    private Markup checkpoints() {
        List<Series> series = new ArrayList<>();
        lines.forEach((contender, cells) -> series.add(new Series(
                context.title(contender), context.style(contender), CellLines.checkpoints(cells.typical()), true)));
        return LineChart.draw(new LineChart.Picture(
                "Duration of checkpoints over time on " + job.job(),
                "seconds from trigger to completion; × failed",
                LineChart.Across.seconds(seconds()),
                series,
                List.of(),
                List.of(),
                warmUp()));
    }

    private void cores() {
        double highest = 0;
        for (CellLines cells : lines.values()) {
            highest = Math.max(highest, CellLines.coresMax(cells.typical()));
        }
        if (highest == 0) {
            return;
        }
        html.element("h3", "Cores in use, by group of threads").open("ul", "class", "legend");
        for (int group = 0; group < CellLines.CPU_GROUPS.size(); group++) {
            html.open("li", "class", "g" + group).element("i", "").text(CellLines.CPU_GROUPS.get(group));
            html.close();
        }
        html.close().open("div", "class", "cores");
        for (Map.Entry<String, CellLines> entry : lines.entrySet()) {
            String title = context.title(entry.getKey());
            html.open("figure").element("figcaption", title);
            html.add(AreaChart.draw(CellLines.cores(
                    entry.getValue().typical(), "Cores in use by " + title + " on " + job.job(), highest)));
            html.close();
        }
        html.close().line();
    }
}
