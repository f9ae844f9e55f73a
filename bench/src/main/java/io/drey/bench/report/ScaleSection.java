package io.drey.bench.report;

import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.format.Quantity;
import io.drey.bench.result.Comparison.ContenderInfo;
import io.drey.bench.result.Comparison.JobInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Charts of figures over the size of the state, of workloads that ran at several sizes. */
final class ScaleSection {
    private static final List<Figure> FIGURES = List.of(
            Figure.EVENTS_MEDIAN,
            Figure.EVENTS_P10,
            Figure.CPU_TOTAL,
            Figure.DEVICE_READS,
            Figure.PROCESS_READS,
            Figure.DEVICE_WRITE_BYTES,
            Figure.PROCESS_WRITE_BYTES,
            Figure.INDEX_MAX);

    private ScaleSection() {}

    /** The section, or null if no workload ran at several sizes. */
    static Markup write(ReportContext context) {
        Map<String, List<JobInfo>> families = families(context);
        if (families.isEmpty()) {
            return null;
        }
        Markup html = new Markup();
        html.open("section", "id", "scale").element("h2", "By size of the state");
        families.forEach((family, jobs) -> {
            html.element("h3", family);
            for (Figure figure : FIGURES) {
                Markup svg = LineChart.draw(picture(context, family, jobs, figure));
                if (svg != null) {
                    html.element("h4", figure.title()).open("div", "class", "wide");
                    html.add(svg).close().line();
                }
            }
        });
        return html.close().line();
    }

    /** Whether a report has the section. */
    static boolean isIn(ReportContext context) {
        return !families(context).isEmpty();
    }

    /** Jobs of more than one size, by family, the smallest first. */
    private static Map<String, List<JobInfo>> families(ReportContext context) {
        Map<String, List<JobInfo>> families = new LinkedHashMap<>();
        for (JobInfo job : context.comparison().jobs()) {
            if (job.scale() != null) {
                families.computeIfAbsent(job.scale().family(), family -> new ArrayList<>())
                        .add(job);
            }
        }
        families.values().removeIf(jobs -> jobs.size() < 2);
        families.values()
                .forEach(jobs ->
                        jobs.sort(Comparator.comparingDouble(job -> job.scale().timesMemory())));
        return families;
    }

    private static LineChart.Picture picture(ReportContext context, String family, List<JobInfo> jobs, Figure figure) {
        List<Axis.Tick> ticks = new ArrayList<>();
        for (JobInfo job : jobs) {
            double times = job.scale().timesMemory();
            ticks.add(new Axis.Tick(times, Quantity.brief(times)));
        }
        List<Series> series = new ArrayList<>();
        for (ContenderInfo contender : context.comparison().contenders()) {
            List<Series.Point> points = points(context, jobs, contender.name(), figure);
            if (!points.isEmpty()) {
                series.add(new Series(contender.title(), context.style(contender.name()), points, true));
            }
        }
        return new LineChart.Picture(
                figure.title() + " over the size of the state of " + family,
                figure.unit().symbol(),
                LineChart.Across.logarithmic(ticks, "state as a multiple of the memory, logarithmic"),
                series,
                List.of(),
                List.of(),
                0);
    }

    private static List<Series.Point> points(
            ReportContext context, List<JobInfo> jobs, String contender, Figure figure) {
        List<Series.Point> points = new ArrayList<>();
        for (JobInfo info : jobs) {
            JobFigures job = context.figures().job(info.name());
            ContenderFigures figures = job == null ? null : job.contender(contender);
            Spread spread = figures == null ? null : figures.figure(figure);
            if (spread != null) {
                points.add(new Series.Point(info.scale().timesMemory(), spread.median()));
            }
        }
        return points;
    }
}
