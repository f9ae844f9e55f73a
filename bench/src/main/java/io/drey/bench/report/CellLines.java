package io.drey.bench.report;

import io.drey.bench.figure.BurstCredit;
import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.Spread;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The samples of one contender's cells on one job as points of charts. Neighbouring samples are put together until a
 * line has no more points than a chart has room for; each point is their mean.
 */
final class CellLines {
    static final List<String> CPU_GROUPS = List.of("task", "source", "background", "checkpoint", "gc", "jit", "other");

    /** More than this many points of a line cannot be seen. */
    private static final int POINTS_MAX = 180;

    private static final int AREA_POINTS_MAX = 90;

    /** Seconds; a sample of no length at all has used nothing either. */
    private static final double SHORTEST = 1e-3;

    private final List<CellResult> cells = new ArrayList<>();
    private final CellResult typical;

    /**
     * Takes the measured cells that succeeded.
     *
     * @param figures of the same contender and job
     */
    CellLines(Comparison comparison, String job, ContenderFigures figures) {
        CellResult median = null;
        Spread rates = figures.figure(Figure.EVENTS_MEDIAN);
        double nearest = Double.MAX_VALUE;
        for (CellResult cell : comparison.cells()) {
            boolean ours =
                    cell.spec().job().equals(job) && cell.spec().contender().equals(figures.contender());
            boolean shown = cell.error() == null
                    && !cell.spec().fills()
                    && !cell.samples().isEmpty();
            if (!ours || !shown) {
                continue;
            }
            cells.add(cell);
            int place = figures.repetitions().indexOf(cell.spec().repetition());
            boolean known =
                    rates != null && place >= 0 && place < rates.values().size();
            double distance = known ? Math.abs(rates.values().get(place) - rates.median()) : Double.MAX_VALUE;
            if (median == null || distance < nearest) {
                median = cell;
                nearest = distance;
            }
        }
        typical = median;
    }

    /** The cell whose rate is nearest to the median, or null if none succeeded. */
    CellResult typical() {
        return typical;
    }

    /** All others. */
    List<CellResult> others() {
        return cells.stream().filter(cell -> !cell.equals(typical)).toList();
    }

    static double end(CellResult cell) {
        return cell.samples().get(cell.samples().size() - 1).second();
    }

    /** Until the first measured sample. */
    static double warmUp(CellResult cell) {
        for (ProcessSample sample : cell.samples()) {
            if (sample.measured()) {
                return Math.max(0, sample.second() - sample.length());
            }
        }
        return 0;
    }

    static List<Series.Point> events(CellResult cell) {
        return rate(cell.samples(), ProcessSample::events);
    }

    /** I/Os of the device as a cloud counts them, or no points if the device is not ours. */
    static List<Series.Point> ios(CellResult cell) {
        return cell.samples().stream().anyMatch(sample -> sample.device() == null)
                ? List.of()
                : rate(cell.samples(), BurstCredit::ios);
    }

    static List<Series.Point> checkpoints(CellResult cell) {
        return cell.checkpoints().stream()
                .map(checkpoint -> new Series.Point(
                        checkpoint.second(), checkpoint.durationMs() / 1_000.0, !checkpoint.completed()))
                .toList();
    }

    private static List<Series.Point> rate(List<ProcessSample> samples, ToDoubleFunction<ProcessSample> counted) {
        List<Series.Point> points = new ArrayList<>();
        for (List<ProcessSample> together : together(samples, POINTS_MAX)) {
            double length = together.stream().mapToDouble(ProcessSample::length).sum();
            double count = together.stream().mapToDouble(counted).sum();
            if (length > 0) {
                points.add(new Series.Point(together.get(together.size() - 1).second(), count / length));
            }
        }
        return points;
    }

    private static List<List<ProcessSample>> together(List<ProcessSample> samples, int most) {
        int each = (samples.size() + most - 1) / most;
        List<List<ProcessSample>> groups = new ArrayList<>();
        for (int i = 0; i < samples.size(); i += each) {
            groups.add(samples.subList(i, Math.min(samples.size(), i + each)));
        }
        return groups;
    }

    /** Cores in use by group of threads, in the order of {@link #CPU_GROUPS}; unknown groups belong to the last. */
    static AreaChart.Picture cores(CellResult cell, String title, double highest) {
        List<List<ProcessSample>> groups = together(cell.samples(), AREA_POINTS_MAX);
        double[] seconds = new double[groups.size()];
        List<double[]> parts = new ArrayList<>();
        List<String> styles = new ArrayList<>();
        for (int part = 0; part < CPU_GROUPS.size(); part++) {
            parts.add(new double[groups.size()]);
            styles.add("g" + part);
        }
        for (int i = 0; i < seconds.length; i++) {
            List<ProcessSample> samples = groups.get(i);
            seconds[i] = samples.get(samples.size() - 1).second();
            double length = Math.max(
                    SHORTEST,
                    samples.stream().mapToDouble(ProcessSample::length).sum());
            for (ProcessSample sample : samples) {
                int place = i;
                sample.cpu().forEach((group, used) -> parts.get(part(group))[place] += used / length);
            }
        }
        return new AreaChart.Picture(title, seconds, parts, styles, highest);
    }

    /** The most cores that any point of {@link #cores} shows. */
    static double coresMax(CellResult cell) {
        AreaChart.Picture picture = cores(cell, "", 1);
        double max = 0;
        for (int i = 0; i < picture.seconds().length; i++) {
            int place = i;
            max = Math.max(
                    max,
                    picture.parts().stream().mapToDouble(part -> part[place]).sum());
        }
        return max;
    }

    private static int part(String group) {
        int part = CPU_GROUPS.indexOf(group);
        return part >= 0 ? part : CPU_GROUPS.size() - 1;
    }
}
