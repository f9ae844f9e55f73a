package io.drey.bench.report;

/** Draws a picture: an {@code svg} element with shapes at coordinates, whose colors a style sheet has. */
final class Svg {
    private final Markup markup = new Markup();

    /**
     * Begins a picture.
     *
     * @param style CSS class
     * @param title for people who cannot see it
     */
    Svg(String style, String title, double width, double height) {
        String viewBox = "0 0 " + Markup.at(width) + " " + Markup.at(height);
        markup.open("svg", "class", style, "viewBox", viewBox, "role", "img", "aria-label", title);
    }

    void line(String style, double x1, double y1, double x2, double y2) {
        shape("line", style, "x1", x1, "y1", y1, "x2", x2, "y2", y2);
    }

    void rectangle(String style, double x, double y, double width, double height) {
        shape("rect", style, "x", x, "y", y, "width", width, "height", height);
    }

    void dot(String style, double x, double y, double radius) {
        shape("circle", style, "cx", x, "cy", y, "r", radius);
    }

    /** Names and numbers in turn. */
    private void shape(String tag, String style, Object... places) {
        String[] attributes = new String[places.length + 2];
        attributes[0] = "class";
        attributes[1] = style;
        for (int i = 0; i < places.length; i += 2) {
            attributes[i + 2] = (String) places[i];
            attributes[i + 3] = Markup.at((double) places[i + 1]);
        }
        markup.empty(tag, attributes);
    }

    /** A text; the anchor is {@code middle}, {@code end}, or null for its begin, and the style may be null. */
    void text(String style, String text, double x, double y, String anchor) {
        markup.element("text", text, "class", style, "x", Markup.at(x), "y", Markup.at(y), "text-anchor", anchor);
    }

    void path(String style, String path) {
        markup.empty("path", "class", style, "d", path);
    }

    /** Goes on with a path to a point; begins with it if there is none yet. */
    static void to(StringBuilder path, double x, double y) {
        path.append(path.length() == 0 ? 'M' : 'L')
                .append(Markup.at(x))
                .append(' ')
                .append(Markup.at(y));
    }

    /** The whole picture. */
    Markup finish() {
        return markup.close();
    }
}
