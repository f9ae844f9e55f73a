package io.drey.bench.report;

import io.drey.bench.report.Axis.Tick;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Draws lines over time as SVG. Names are at the ends of the lines as well as in the page's legend, so that nobody has to
 * match colors.
 */
final class LineChart {
    /**
     * What is drawn.
     *
     * @param title for people who cannot see it
     * @param unit beside the vertical axis
     * @param seconds length of the horizontal axis
     * @param series thin ones first, so that they do not cover the others
     * @param events moments with a name, such as the end of a burst
     * @param levels horizontal lines with a name, such as a limit
     * @param warmUpSeconds shaded from 0; 0 for none
     */
    record Picture(
            String title,
            String unit,
            double seconds,
            List<Series> series,
            List<Moment> events,
            List<Level> levels,
            double warmUpSeconds) {}

    /** A vertical line. */
    record Moment(double second, String name, String style) {}

    /** A horizontal line. */
    record Level(double value, String name) {}

    private record EndLabel(double y, Series series) {}

    static final int WIDTH = 960;
    private static final int PLOT_HEIGHT = 262;
    private static final double LEFT = 64;
    private static final double RIGHT = WIDTH - 142;
    private static final double HEAD = 26;
    private static final double FOOT = 42;
    private static final double LABEL_HEIGHT = 16;
    private static final double CROSS = 4;

    private final Picture picture;
    private final Axis across;
    private final Axis up;
    private final Markup svg = new Markup();

    /** Moments have a line each for their names, above the plot. */
    private final double top;

    private final double bottom;

    private LineChart(Picture picture) {
        this.picture = picture;
        across = Axis.exact(picture.seconds());
        up = verticalAxis(picture);
        top = HEAD + picture.events().size() * LABEL_HEIGHT;
        bottom = top + PLOT_HEIGHT;
    }

    /** The chart, or null if no series has a point. */
    static Markup draw(Picture picture) {
        if (picture.series().stream().allMatch(series -> series.points().isEmpty())) {
            return null;
        }
        return new LineChart(picture).draw();
    }

    private double height() {
        return bottom + FOOT;
    }

    /** Logarithmic where the lines that matter differ too much for anything else. */
    private static Axis verticalAxis(Picture picture) {
        double min = Double.MAX_VALUE;
        double max = 0;
        boolean zeros = false;
        for (Series series : picture.series()) {
            for (Series.Point point : series.points()) {
                boolean counts = point.x() >= picture.warmUpSeconds() || series.dots();
                max = Math.max(max, point.y());
                min = counts && point.y() > 0 ? Math.min(min, point.y()) : min;
                zeros |= counts && point.y() <= 0;
            }
        }
        for (Level level : picture.levels()) {
            max = Math.max(max, level.value());
        }
        boolean differ = min < Double.MAX_VALUE && max > Axis.LOG_FROM * min;
        return differ ? Axis.logarithmic(min, max, zeros) : Axis.linear(max);
    }

    private double x(double second) {
        return LEFT + across.place(second) * (RIGHT - LEFT);
    }

    private double y(double value) {
        return bottom - up.place(value) * (bottom - top);
    }

    private Markup draw() {
        svg.open(
                "svg",
                "class",
                "chart",
                "viewBox",
                "0 0 " + WIDTH + " " + Markup.at(height()),
                "role",
                "img",
                "aria-label",
                picture.title());
        warmUp();
        axes();
        levels();
        for (Series series : picture.series()) {
            series(series);
        }
        moments();
        names();
        return svg.close().line();
    }

    private void warmUp() {
        if (picture.warmUpSeconds() <= 0) {
            return;
        }
        double end = x(picture.warmUpSeconds());
        svg.empty(
                "rect",
                "class",
                "warm-up",
                "x",
                Markup.at(LEFT),
                "y",
                Markup.at(top),
                "width",
                Markup.at(end - LEFT),
                "height",
                Markup.at(bottom - top));
        svg.element("text", "warm-up", "class", "faint", "x", Markup.at(LEFT + 5), "y", Markup.at(bottom - 6));
    }

    private void axes() {
        for (Tick tick : up.ticks()) {
            String y = Markup.at(y(tick.value()));
            line("grid", Markup.at(LEFT), y, Markup.at(RIGHT), y);
            svg.element(
                    "text",
                    tick.label(),
                    "x",
                    Markup.at(LEFT - 8),
                    "y",
                    Markup.at(y(tick.value()) + 4),
                    "text-anchor",
                    "end");
        }
        for (Tick tick : Axis.linear(picture.seconds()).ticks()) {
            if (tick.value() <= picture.seconds()) {
                String x = Markup.at(x(tick.value()));
                line("axis", x, Markup.at(bottom), x, Markup.at(bottom + 5));
                svg.element("text", tick.label(), "x", x, "y", Markup.at(bottom + 20), "text-anchor", "middle");
            }
        }
        line("axis", Markup.at(LEFT), Markup.at(bottom), Markup.at(RIGHT), Markup.at(bottom));
        svg.element(
                "text",
                "seconds since the first sample",
                "class",
                "faint",
                "x",
                Markup.at((LEFT + RIGHT) / 2),
                "y",
                Markup.at(bottom + FOOT - 6),
                "text-anchor",
                "middle");
        String scale = up.isLogarithmic() ? ", logarithmic" : "";
        svg.element("text", picture.unit() + scale, "class", "faint", "x", Markup.at(4), "y", Markup.at(14));
    }

    private void line(String style, String x1, String y1, String x2, String y2) {
        svg.empty("line", "class", style, "x1", x1, "y1", y1, "x2", x2, "y2", y2);
    }

    private void levels() {
        for (Level level : picture.levels()) {
            double y = y(level.value());
            line("level", Markup.at(LEFT), Markup.at(y), Markup.at(RIGHT), Markup.at(y));
            svg.element(
                    "text",
                    level.name(),
                    "class",
                    "faint halo",
                    "x",
                    Markup.at(RIGHT - 4),
                    "y",
                    Markup.at(y - 4),
                    "text-anchor",
                    "end");
        }
    }

    private void series(Series series) {
        StringBuilder path = new StringBuilder();
        for (Series.Point point : series.points()) {
            if (!point.failed()) {
                path.append(path.length() == 0 ? "M" : "L")
                        .append(Markup.at(x(point.x())))
                        .append(' ')
                        .append(Markup.at(y(point.y())));
            }
        }
        String weight = series.thin() ? " thin" : series.dots() ? " dotted" : "";
        svg.empty("path", "class", "line " + series.style() + weight, "d", path.toString());
        if (!series.dots()) {
            return;
        }
        for (Series.Point point : series.points()) {
            if (point.failed()) {
                cross(x(point.x()), y(point.y()), series.style());
            } else {
                svg.empty(
                        "circle",
                        "class",
                        "dot " + series.style(),
                        "cx",
                        Markup.at(x(point.x())),
                        "cy",
                        Markup.at(y(point.y())),
                        "r",
                        "2.5");
            }
        }
    }

    private void cross(double x, double y, String style) {
        String path = String.format(
                Locale.ROOT,
                "M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1f",
                x - CROSS,
                y - CROSS,
                x + CROSS,
                y + CROSS,
                x - CROSS,
                y + CROSS,
                x + CROSS,
                y - CROSS);
        svg.empty("path", "class", "line failed " + style, "d", path);
    }

    private void moments() {
        List<Moment> events = new ArrayList<>(picture.events());
        events.sort(Comparator.comparingDouble(Moment::second));
        for (int i = 0; i < events.size(); i++) {
            Moment moment = events.get(i);
            double x = x(moment.second());
            double text = HEAD + (i + 1) * LABEL_HEIGHT - 5;
            boolean left = moment.second() > picture.seconds() * 2 / 3;
            line("moment " + moment.style(), Markup.at(x), Markup.at(text - 8), Markup.at(x), Markup.at(bottom));
            svg.element(
                    "text",
                    moment.name(),
                    "class",
                    "name halo " + moment.style(),
                    "x",
                    Markup.at(left ? x - 5 : x + 5),
                    "y",
                    Markup.at(text),
                    "text-anchor",
                    left ? "end" : null);
        }
    }

    /** Moves names apart, from the top down, and back up where they would leave the chart. */
    private void names() {
        List<EndLabel> labels = new ArrayList<>();
        for (Series series : picture.series()) {
            if (!series.thin() && !series.points().isEmpty()) {
                Series.Point last = series.points().get(series.points().size() - 1);
                labels.add(new EndLabel(y(last.y()), series));
            }
        }
        labels.sort(Comparator.comparingDouble(EndLabel::y));
        double[] places = new double[labels.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = Math.max(labels.get(i).y(), i == 0 ? top : places[i - 1] + LABEL_HEIGHT);
        }
        for (int i = places.length - 1; i >= 0; i--) {
            places[i] = Math.min(places[i], i == places.length - 1 ? bottom : places[i + 1] - LABEL_HEIGHT);
        }
        for (int i = 0; i < places.length; i++) {
            Series series = labels.get(i).series();
            Series.Point last = series.points().get(series.points().size() - 1);
            line(
                    "lead " + series.style(),
                    Markup.at(x(last.x()) + 2),
                    Markup.at(labels.get(i).y()),
                    Markup.at(RIGHT + 12),
                    Markup.at(places[i]));
            svg.element(
                    "text",
                    series.name(),
                    "class",
                    "name " + series.style(),
                    "x",
                    Markup.at(RIGHT + 16),
                    "y",
                    Markup.at(places[i] + 4));
        }
    }
}
