package io.drey.bench.report;

import io.drey.bench.report.Axis.Tick;
import java.util.List;

/** Draws parts of a whole over time, one upon the other, as a small SVG. */
final class AreaChart {
    /**
     * The data of one chart.
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
        Svg svg = new Svg("chart small", picture.title(), WIDTH, HEIGHT);
        double[] seconds = picture.seconds();
        Axis across = Axis.exact(seconds[seconds.length - 1]);
        Axis up = Axis.linear(picture.highest());
        for (Tick tick : up.ticks()) {
            svg.line("grid", LEFT, y(up, tick.value()), RIGHT, y(up, tick.value()));
            svg.text(null, tick.label(), LEFT - 5, y(up, tick.value()) + 4, "end");
        }
        for (Tick tick : across.ticks()) {
            String label = tick.label() + (tick.value() == 0 ? " s" : "");
            svg.text(null, label, x(across, tick.value()), BOTTOM + 16, "middle");
        }
        double[] below = new double[seconds.length];
        for (int part = 0; part < picture.parts().size(); part++) {
            double[] above = below.clone();
            for (int i = 0; i < above.length; i++) {
                above[i] += picture.parts().get(part)[i];
            }
            svg.path("area " + picture.styles().get(part), outline(seconds, below, above, across, up));
            below = above;
        }
        return svg.finish();
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
            Svg.to(path, x(across, seconds[i]), y(up, above[i]));
        }
        for (int i = seconds.length - 1; i >= 0; i--) {
            Svg.to(path, x(across, seconds[i]), y(up, below[i]));
        }
        return path.append('Z').toString();
    }
}
