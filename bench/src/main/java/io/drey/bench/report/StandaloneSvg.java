package io.drey.bench.report;

/** Makes a chart a file of its own, with its colors, its title and its paper. */
final class StandaloneSvg {
    private static final double TITLE_HEIGHT = 34;

    private StandaloneSvg() {}

    /**
     * The text of the file.
     *
     * @param chart an {@code svg} element of this width and height
     */
    static String of(String title, double width, double height, Markup chart) {
        Markup svg = new Markup();
        String whole = Markup.at(height + TITLE_HEIGHT);
        svg.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "class",
                "chart",
                "width",
                Markup.at(width),
                "height",
                whole,
                "viewBox",
                "0 0 " + Markup.at(width) + " " + whole);
        svg.open("style").trusted(StyleSheet.chart()).close();
        svg.empty("rect", "class", "paper", "width", "100%", "height", "100%");
        svg.element("text", title, "class", "title", "x", "4", "y", "20");
        svg.open("svg", "y", Markup.at(TITLE_HEIGHT), "width", Markup.at(width), "height", Markup.at(height));
        return svg.add(chart).close().close().line().finish();
    }
}
