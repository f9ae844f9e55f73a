package io.drey.bench.report;

import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.Figures;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.result.Comparison;
import java.util.List;

/**
 * One chart for the README: on a rationed disk the throughput of the first job over time, which shows the collapse;
 * otherwise each contender's throughput against the baseline, as bars to both sides of 1 with the spread as a whisker.
 */
final class ReadmeChart {
    private static final int WIDTH = 960;
    private static final double LEFT = 250;
    private static final double RIGHT = WIDTH - 150;
    private static final double TOP = 12;
    private static final double ROW = 20;
    private static final double BAR = 13;
    private static final double GAP = 14;
    private static final double FOOT = 40;

    /** Ratios beyond this are drawn at the end of the axis; the number beside the bar says how far. */
    private static final double FACTOR_MAX = 100;

    private static final double FACTOR_MIN = 2;

    private final ReportContext context;
    private final String baseline;
    private final Axis axis;
    private final Markup svg = new Markup();

    private ReadmeChart(ReportContext context) {
        this.context = context;
        baseline = context.baseline();
        axis = Axis.around(farthest() * 1.15);
    }

    /** The chart as an SVG file, or null if there is nothing to draw. */
    static String of(Comparison comparison, Figures figures) {
        ReportContext context = new ReportContext(comparison, figures);
        if (comparison.disk() != null && !comparison.jobs().isEmpty()) {
            return LineChart.standalone(
                    JobSection.throughput(context, comparison.jobs().get(0)));
        }
        return context.baseline() == null ? null : new ReadmeChart(context).bars();
    }

    private double farthest() {
        double farthest = FACTOR_MIN;
        for (JobFigures job : context.figures().jobs()) {
            for (ContenderFigures contender : job.contenders()) {
                Spread ratio = shown(contender);
                if (ratio != null) {
                    farthest = Math.max(farthest, Math.max(ratio.max(), 1 / ratio.min()));
                }
            }
        }
        return Math.min(FACTOR_MAX, farthest);
    }

    /** A ratio that has a bar, or null: the baseline has none, and zero has no place on this axis. */
    private Spread shown(ContenderFigures contender) {
        Spread ratio = contender.ratio(baseline, Figure.EVENTS_MEDIAN);
        return contender.contender().equals(baseline) || ratio == null || ratio.min() <= 0 ? null : ratio;
    }

    private double x(double ratio) {
        return LEFT + axis.place(ratio) * (RIGHT - LEFT);
    }

    private String bars() {
        double y = TOP;
        Markup rows = new Markup();
        for (JobFigures job : context.figures().jobs()) {
            List<ContenderFigures> contenders =
                    job.contenders().stream().filter(c -> shown(c) != null).toList();
            if (contenders.isEmpty()) {
                continue;
            }
            rows.element("text", job.job(), "class", "title", "x", "4", "y", Markup.at(y + BAR - 2));
            for (ContenderFigures contender : contenders) {
                bar(rows, contender, y);
                y += ROW;
            }
            y += GAP;
        }
        if (y == TOP) {
            return null;
        }
        svg.open("svg", "class", "chart", "viewBox", "0 0 " + WIDTH + " " + Markup.at(y + FOOT));
        ticks(y);
        svg.add(rows).close();
        String title = "Events per second against " + context.title(baseline) + ": right is faster";
        return StandaloneSvg.of(title, WIDTH, y + FOOT, svg);
    }

    private void bar(Markup rows, ContenderFigures contender, double y) {
        Spread ratio = shown(contender);
        String style = context.style(contender.contender());
        double from = Math.min(x(1), x(ratio.median()));
        double to = Math.max(x(1), x(ratio.median()));
        rows.element(
                "text",
                context.title(contender.contender()),
                "class",
                "name " + style,
                "x",
                Markup.at(LEFT - 10),
                "y",
                Markup.at(y + BAR - 2),
                "text-anchor",
                "end");
        rows.empty(
                "rect",
                "class",
                "bar " + style,
                "x",
                Markup.at(from),
                "y",
                Markup.at(y),
                "width",
                Markup.at(to - from),
                "height",
                Markup.at(BAR));
        String middle = Markup.at(y + BAR / 2);
        rows.empty(
                "line",
                "class",
                "whisker",
                "x1",
                Markup.at(x(ratio.min())),
                "y1",
                middle,
                "x2",
                Markup.at(x(ratio.max())),
                "y2",
                middle);
        rows.element(
                "text",
                RatioTables.show(ratio.median()),
                "x",
                Markup.at(Math.max(x(ratio.max()), x(1)) + 8),
                "y",
                Markup.at(y + BAR - 2));
    }

    private void ticks(double bottom) {
        for (Axis.Tick tick : axis.ticks()) {
            String x = Markup.at(x(tick.value()));
            String style = Math.abs(tick.value() - 1) < 1e-9 ? "axis" : "grid";
            svg.empty("line", "class", style, "x1", x, "y1", Markup.at(TOP - 6), "x2", x, "y2", Markup.at(bottom));
            svg.element("text", tick.label() + "×", "x", x, "y", Markup.at(bottom + 18), "text-anchor", "middle");
        }
    }
}
