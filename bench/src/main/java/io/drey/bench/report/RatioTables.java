package io.drey.bench.report;

import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.Comparison.ContenderInfo;
import java.util.List;

/** The headline: what each contender does on each job, as a multiple of what a baseline does. */
final class RatioTables {
    /** Beside throughput, which comes first. */
    private static final List<Figure> MORE = List.of(
            Figure.CPU_TOTAL, Figure.EVENTS_P10, Figure.CHECKPOINT_P99, Figure.RESTORE_FIRST, Figure.RESIDENT_PEAK);

    private final ReportContext context;
    private final Markup html = new Markup();

    private RatioTables(ReportContext context) {
        this.context = context;
    }

    static Markup write(ReportContext context) {
        return new RatioTables(context).write();
    }

    private Markup write() {
        List<String> baselines = context.figures().baselines();
        if (baselines.isEmpty()) {
            html.element("p", "No ratios: neither RocksDB nor RocksDB tuned took part. All figures are below, by job.");
            return html;
        }
        html.open("p")
                .text("Each number is the median of the repetitions' ratios, and below it the range in which 19 of ");
        html.text("20 repeated runs have theirs; a ratio divides by the baseline's cell of the same repetition, which"
                + " ran ");
        html.text("just before or after. ");
        html.element("span", "Blue", "class", "key better")
                .text(" is better than the baseline over all of the range, ");
        html.element("span", "orange", "class", "key worse")
                .text(" worse over all of it; the rest is within the noise.");
        html.close();
        for (String baseline : baselines) {
            table(Figure.EVENTS_MEDIAN, baseline);
            table(Figure.EVENTS_AFTER_BURST, baseline);
        }
        html.open("details").element("summary", "Ratios of CPU, slow seconds, checkpoints, restore and memory");
        for (Figure figure : MORE) {
            table(figure, baselines.get(0));
        }
        return html.close().line();
    }

    private void table(Figure figure, String baseline) {
        List<JobFigures> jobs = context.figures().jobs().stream()
                .filter(job ->
                        job.contenders().stream().anyMatch(contender -> contender.ratio(baseline, figure) != null))
                .toList();
        if (jobs.isEmpty()) {
            return;
        }
        String direction = figure.better() == Figure.Better.HIGHER ? "higher is better" : "lower is better";
        html.open("div", "class", "wide").open("table", "class", "ratios");
        html.element("caption", figure.title() + ", against " + context.title(baseline) + " (" + direction + ")");
        html.open("thead").open("tr").element("th", "Job");
        for (ContenderInfo contender : context.comparison().contenders()) {
            html.element("th", contender.title());
        }
        html.close().close().open("tbody");
        for (JobFigures job : jobs) {
            html.open("tr")
                    .open("th")
                    .element("a", job.job(), "href", "#job-" + job.job())
                    .close();
            for (ContenderFigures contender : job.contenders()) {
                cell(figure, baseline, job.job(), contender);
            }
            html.close();
        }
        html.close().close().close().line();
    }

    private void cell(Figure figure, String baseline, String job, ContenderFigures contender) {
        Spread ratio = contender.ratio(baseline, figure);
        if (ratio == null) {
            html.element("td", context.absence(job, contender.contender()), "class", "faint");
            return;
        }
        boolean self = contender.contender().equals(baseline);
        html.openValue(
                ratio,
                "class",
                self ? "same" : verdict(figure, ratio),
                "data-ratio",
                figure.json(),
                "data-baseline",
                baseline,
                "data-job",
                job,
                "data-contender",
                contender.contender());
        html.element("span", show(ratio.median()), "class", "ratio");
        if (!self) {
            html.element("span", spread(ratio), "class", "spread");
        }
        Spread value = contender.figure(figure);
        html.element("span", figure.unit().show(value.median()), "class", "spread");
        html.close();
    }

    static String show(double ratio) {
        return Quantity.number(ratio) + "×";
    }

    /** The range of repeated runs; a single repetition tells of none. */
    static String spread(Spread ratio) {
        return ratio.values().size() == 1
                ? "1 repetition"
                : Quantity.number(ratio.min()) + " – " + Quantity.number(ratio.max());
    }

    /** Better or worse only if a repeated run would say so too. */
    private static String verdict(Figure figure, Spread ratio) {
        boolean higher = ratio.min() > 1;
        boolean lower = ratio.max() < 1;
        if (ratio.values().size() < 2 || (!higher && !lower)) {
            return "same";
        }
        return higher == (figure.better() == Figure.Better.HIGHER) ? "better" : "worse";
    }
}
