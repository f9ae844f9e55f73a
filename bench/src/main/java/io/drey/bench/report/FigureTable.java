package io.drey.bench.report;

import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.format.Quantity;

/** All figures of one job, a contender per column. */
final class FigureTable {
    private FigureTable() {}

    static Markup write(ReportContext context, JobFigures job) {
        Markup html = new Markup();
        html.open("div", "class", "wide").open("table", "class", "figures").open("thead");
        html.open("tr").element("th", "Median of the repetitions; below, smallest – largest", "class", "faint");
        for (ContenderFigures contender : job.contenders()) {
            html.open("th").text(context.title(contender.contender()));
            html.element("span", repetitions(contender), "class", "spread").close();
        }
        html.close().close().open("tbody").line();
        Figure.Group group = null;
        for (Figure figure : Figure.values()) {
            if (job.contenders().stream().allMatch(contender -> contender.figure(figure) == null)) {
                continue;
            }
            if (figure.group() != group) {
                group = figure.group();
                String columns = Integer.toString(job.contenders().size() + 1);
                html.open("tr", "class", "group")
                        .element("th", group.title(), "colspan", columns)
                        .close();
            }
            row(html, figure, job);
        }
        return html.close().close().close().line();
    }

    private static String repetitions(ContenderFigures contender) {
        return Quantity.counted(contender.repetitions().size(), "repetition", "repetitions");
    }

    private static void row(Markup html, Figure figure, JobFigures job) {
        html.open("tr").element("th", figure.title(), "title", figure.definition());
        for (ContenderFigures contender : job.contenders()) {
            cell(html, figure, job.job(), contender);
        }
        html.close().line();
    }

    private static void cell(Markup html, Figure figure, String job, ContenderFigures contender) {
        Spread spread = contender.figure(figure);
        if (spread == null) {
            html.element("td", "–", "class", "faint");
            return;
        }
        html.openValue(spread, "data-figure", figure.json(), "data-job", job, "data-contender", contender.contender());
        html.text(figure.unit().show(spread.median()));
        if (spread.min() < spread.max()) {
            String extremes =
                    figure.unit().show(spread.min()) + " – " + figure.unit().show(spread.max());
            html.element("span", extremes, "class", "spread");
        }
        html.close();
    }
}
