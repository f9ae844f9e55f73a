package io.drey.bench.report;

import io.drey.bench.report.Axis.Tick;
import java.util.List;

/** Draws parts of a whole over time, one upon the other, as a small SVG. */
final class AreaChart {
    /**
     * What is drawn.
     *
     * @param title for people who cannot see it
     * @param seconds at which the parts are known
     * @param parts one row for each part, lowest first, each as long as {@code seconds}
     * @param styles CSS class of each part
     * @param highest end of the vertical axis, which charts side by side have in common
     */
    record Picture(String title, double[] seconds, List<double[]> parts, List<String> styles, double highest) {}

    private static final int WIDTH = 320;
    private static final int HEIGHT = 170;
    private static final double LEFT = 34;
    private static final double RIGHT = WIDTH - 8;
    private static final double TOP = 10;
    private static final double BOTTOM = HEIGHT - 24;

    private AreaChart() {}

    static Markup draw(Picture picture) {
        Markup svg = new Markup();
        double[] seconds = picture.seconds();
        Axis across = Axis.exact(seconds[seconds.length - 1]);
        Axis up = Axis.linear(picture.highest());
        svg.open(
                "svg",
                "class",
                "chart small",
                "viewBox",
                "0 0 " + WIDTH + " " + HEIGHT,
                "role",
                "img",
                "aria-label",
                picture.title());
        axes(svg, across, up);
        double[] below = new double[seconds.length];
        for (int part = 0; part < picture.parts().size(); part++) {
            double[] above = below.clone();
            for (int i = 0; i < above.length; i++) {
                above[i] += picture.parts().get(part)[i];
            }
            svg.empty(
                    "path",
                    "class",
                    "area " + picture.styles().get(part),
                    "d",
                    outline(seconds, below, above, across, up));
            below = above;
        }
        return svg.close();
    }

    private static void axes(Markup svg, Axis across, Axis up) {
        for (Tick tick : up.ticks()) {
            String y = Markup.at(y(up, tick.value()));
            svg.empty("line", "class", "grid", "x1", Markup.at(LEFT), "y1", y, "x2", Markup.at(RIGHT), "y2", y);
            svg.element(
                    "text",
                    tick.label(),
                    "x",
                    Markup.at(LEFT - 5),
                    "y",
                    Markup.at(y(up, tick.value()) + 4),
                    "text-anchor",
                    "end");
        }
        for (Tick tick : across.ticks()) {
            double x = x(across, tick.value());
            svg.element(
                    "text",
                    tick.label() + (tick.value() == 0 ? " s" : ""),
                    "x",
                    Markup.at(x),
                    "y",
                    Markup.at(BOTTOM + 16),
                    "text-anchor",
                    "middle");
        }
    }

    private static double x(Axis across, double second) {
        return LEFT + across.place(second) * (RIGHT - LEFT);
    }

    private static double y(Axis up, double value) {
        return BOTTOM - up.place(value) * (BOTTOM - TOP);
    }

    private static String outline(double[] seconds, double[] below, double[] above, Axis across, Axis up) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < seconds.length; i++) {
            point(path, x(across, seconds[i]), y(up, above[i]));
        }
        for (int i = seconds.length - 1; i >= 0; i--) {
            point(path, x(across, seconds[i]), y(up, below[i]));
        }
        return path.append('Z').toString();
    }

    private static void point(StringBuilder path, double x, double y) {
        path.append(path.length() == 0 ? 'M' : 'L')
                .append(Markup.at(x))
                .append(' ')
                .append(Markup.at(y));
    }
}
