package io.drey.bench.report;

import io.drey.bench.report.Axis.Tick;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Draws lines over time, or over another quantity, as SVG. Names are at the ends of the lines as well as in the page's
 * legend, so that nobody has to match colors.
 */
final class LineChart {
    /**
     * The data of one chart.
     *
     * @param title for people who cannot see it
     * @param unit beside the vertical axis
     * @param across the horizontal axis
     * @param series thin ones first, so that they do not cover the others
     * @param events moments with a name, such as the end of a burst
     * @param levels horizontal lines with a name, such as a limit
     * @param warmUpSeconds shaded from 0; 0 for none
     */
    record Picture(
            String title,
            String unit,
            Across across,
            List<Series> series,
            List<Moment> events,
            List<Level> levels,
            double warmUpSeconds) {}

    /**
     * The horizontal axis.
     *
     * @param ticks what is written below it
     * @param unit below these
     */
    record Across(Axis axis, List<Tick> ticks, String unit) {
        /** Seconds of a cell. */
        static Across seconds(double seconds) {
            List<Tick> ticks = Axis.linear(seconds).ticks().stream()
                    .filter(tick -> tick.value() <= seconds)
                    .toList();
            return new Across(Axis.exact(seconds), ticks, "seconds since the first sample");
        }

        /** Some values that differ much, each with its name. */
        static Across logarithmic(List<Tick> ticks, String unit) {
            double min = ticks.stream().mapToDouble(Tick::value).min().orElse(1);
            double max = ticks.stream().mapToDouble(Tick::value).max().orElse(1);
            return new Across(Axis.logarithmic(min, max, false), ticks, unit);
        }
    }

    /** A vertical line. */
    record Moment(double second, String name, String style) {}

    /** A horizontal line. */
    record Level(double value, String name) {}

    private record EndLabel(double y, Series series) {}

    private static final int WIDTH = 960;
    private static final int PLOT_HEIGHT = 262;
    private static final double LEFT = 64;
    private static final double RIGHT = WIDTH - 142;
    private static final double HEAD = 26;
    private static final double FOOT = 42;
    private static final double LABEL_HEIGHT = 16;
    private static final double CROSS = 4;
    private static final double DOT = 2.5;

    private final Picture picture;
    private final Axis across;
    private final Axis up;
    private final Svg svg;

    /** Moments have a line each for their names, above the plot. */
    private final double top;

    private final double bottom;

    private LineChart(Picture picture) {
        this.picture = picture;
        across = picture.across().axis();
        up = verticalAxis(picture);
        top = HEAD + picture.events().size() * LABEL_HEIGHT;
        bottom = top + PLOT_HEIGHT;
        svg = new Svg("chart", picture.title(), WIDTH, bottom + FOOT);
    }

    /** The chart, or null if no series has a point. */
    static Markup draw(Picture picture) {
        if (picture.series().stream().allMatch(series -> series.points().isEmpty())) {
            return null;
        }
        return new LineChart(picture).draw();
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
        warmUp();
        axes();
        for (Level level : picture.levels()) {
            svg.line("level", LEFT, y(level.value()), RIGHT, y(level.value()));
            svg.text("faint halo", level.name(), RIGHT - 4, y(level.value()) - 4, "end");
        }
        for (Series series : picture.series()) {
            series(series);
        }
        moments();
        names();
        return svg.finish().line();
    }

    private void warmUp() {
        if (picture.warmUpSeconds() > 0) {
            svg.rectangle("warm-up", LEFT, top, x(picture.warmUpSeconds()) - LEFT, bottom - top);
            svg.text("faint", "warm-up", LEFT + 5, bottom - 6, null);
        }
    }

    private void axes() {
        for (Tick tick : up.ticks()) {
            svg.line("grid", LEFT, y(tick.value()), RIGHT, y(tick.value()));
            svg.text(null, tick.label(), LEFT - 8, y(tick.value()) + 4, "end");
        }
        for (Tick tick : picture.across().ticks()) {
            svg.line("axis", x(tick.value()), bottom, x(tick.value()), bottom + 5);
            svg.text(null, tick.label(), x(tick.value()), bottom + 20, "middle");
        }
        svg.line("axis", LEFT, bottom, RIGHT, bottom);
        svg.text("faint", picture.across().unit(), (LEFT + RIGHT) / 2, bottom + FOOT - 6, "middle");
        svg.text("faint", picture.unit() + (up.isLogarithmic() ? ", logarithmic" : ""), 4, 14, null);
    }

    private void series(Series series) {
        StringBuilder path = new StringBuilder();
        for (Series.Point point : series.points()) {
            if (!point.failed()) {
                Svg.to(path, x(point.x()), y(point.y()));
            }
        }
        String weight = series.thin() ? " thin" : series.dots() ? " dotted" : "";
        svg.path("line " + series.style() + weight, path.toString());
        if (!series.dots()) {
            return;
        }
        for (Series.Point point : series.points()) {
            double x = x(point.x());
            double y = y(point.y());
            if (point.failed()) {
                svg.line("line failed " + series.style(), x - CROSS, y - CROSS, x + CROSS, y + CROSS);
                svg.line("line failed " + series.style(), x - CROSS, y + CROSS, x + CROSS, y - CROSS);
            } else {
                svg.dot("dot " + series.style(), x, y, DOT);
            }
        }
    }

    private void moments() {
        List<Moment> events = new ArrayList<>(picture.events());
        events.sort(Comparator.comparingDouble(Moment::second));
        for (int i = 0; i < events.size(); i++) {
            Moment moment = events.get(i);
            double x = x(moment.second());
            double text = HEAD + (i + 1) * LABEL_HEIGHT - 5;
            boolean left = across.place(moment.second()) > 2.0 / 3;
            svg.line("moment " + moment.style(), x, text - 8, x, bottom);
            svg.text("name halo " + moment.style(), moment.name(), left ? x - 5 : x + 5, text, left ? "end" : null);
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
            double end = x(series.points().get(series.points().size() - 1).x()) + 2;
            svg.line("lead " + series.style(), end, labels.get(i).y(), RIGHT + 12, places[i]);
            svg.text("name " + series.style(), series.name(), RIGHT + 16, places[i] + 4, null);
        }
    }
}
