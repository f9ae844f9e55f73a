package io.drey.bench.report;

import java.util.List;

/**
 * A line of a chart.
 *
 * @param name beside the line's end; null for a line that has none, which is then drawn thin
 * @param style CSS class that gives the color
 * @param points from left to right
 * @param dots whether each point is marked
 */
record Series(String name, String style, List<Point> points, boolean dots) {
    /** A point; {@code failed} ones are marked with a cross. */
    record Point(double x, double y, boolean failed) {
        Point(double x, double y) {
            this(x, y, false);
        }
    }

    boolean thin() {
        return name == null;
    }
}
