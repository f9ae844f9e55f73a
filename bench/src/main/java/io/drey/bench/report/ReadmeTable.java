package io.drey.bench.report;

import io.drey.bench.figure.Agreement;
import io.drey.bench.figure.ContenderFigures;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.JobFigures;
import io.drey.bench.figure.Spread;
import io.drey.bench.result.Comparison;
import java.util.ArrayList;
import java.util.List;

/** The headline of a comparison in Markdown: Drey beside RocksDB and the heap. */
final class ReadmeTable {
    private static final List<String> SHOWN = List.of("drey", "rocksdb-tuned", "hashmap");
    private static final String NONE = "–";

    private final ReportContext context;
    private final List<String> contenders = new ArrayList<>();
    private final StringBuilder out = new StringBuilder();

    private ReadmeTable(ReportContext context) {
        this.context = context;
        List<String> present = context.comparison().contenders().stream()
                .map(Comparison.ContenderInfo::name)
                .toList();
        for (String name : SHOWN) {
            if (present.contains(name)) {
                contenders.add(name);
            } else if (name.equals("rocksdb-tuned") && present.contains("rocksdb")) {
                contenders.add("rocksdb");
            }
        }
    }

    /** The table, with a sentence wherever a reader must not believe it. */
    static String of(ReportContext context) {
        return new ReadmeTable(context).table();
    }

    private String table() {
        String baseline = context.baseline();
        boolean rationed = context.comparison().disk() != null;
        List<String> head = new ArrayList<>(List.of("job", "backend", "events/s"));
        if (rationed) {
            head.add("after the burst");
        }
        head.add(baseline == null ? "ratio" : "against " + context.title(baseline));
        head.addAll(List.of("CPU per event", "p10 / median", "checkpoint p99", "restore"));
        row(head);
        out.append("|---|---|").append("--:|".repeat(head.size() - 2)).append('\n');
        for (JobFigures job : context.figures().jobs()) {
            for (String name : contenders) {
                row(cells(job, job.contender(name), rationed));
            }
        }
        warnings();
        return out.toString();
    }

    private List<String> cells(JobFigures job, ContenderFigures contender, boolean rationed) {
        List<String> cells = new ArrayList<>();
        boolean first = contender.contender().equals(contenders.get(0));
        cells.add(first ? job.job() : "");
        cells.add(context.title(contender.contender()));
        cells.add(show(contender, Figure.EVENTS_MEDIAN));
        if (rationed) {
            cells.add(show(contender, Figure.EVENTS_AFTER_BURST));
        }
        cells.add(ratio(contender, rationed ? Figure.EVENTS_AFTER_BURST : Figure.EVENTS_MEDIAN));
        cells.add(show(contender, Figure.CPU_TOTAL));
        cells.add(show(contender, Figure.STEADINESS));
        cells.add(show(contender, Figure.CHECKPOINT_P99));
        cells.add(show(contender, Figure.RESTORE_FIRST));
        if (contender.repetitions().isEmpty()) {
            cells.set(2, context.absence(job.job(), contender.contender()));
        }
        return cells;
    }

    private static String show(ContenderFigures contender, Figure figure) {
        Spread spread = contender.figure(figure);
        return spread == null ? NONE : figure.unit().show(spread.median());
    }

    /** Where a burst never ended the median of all seconds is what there is. */
    private String ratio(ContenderFigures contender, Figure figure) {
        String baseline = context.baseline();
        if (baseline == null || contender.contender().equals(baseline)) {
            return baseline == null ? NONE : "1×";
        }
        Spread ratio = contender.ratio(baseline, figure);
        if (ratio == null) {
            ratio = contender.ratio(baseline, Figure.EVENTS_MEDIAN);
        }
        return ratio == null
                ? NONE
                : "**" + RatioTables.show(ratio.median()) + "** (" + RatioTables.spread(ratio) + ")";
    }

    private void row(List<String> cells) {
        out.append("| ");
        List<String> escaped =
                cells.stream().map(cell -> cell.replace("|", "\\|")).toList();
        out.append(String.join(" | ", escaped)).append(" |\n");
    }

    private void warnings() {
        if (context.comparison().disk() != null) {
            out.append("\n"
                            + "On a rationed disk. Ratios are of the rates after the burst where both have one,"
                            + " otherwise of the ")
                    .append("medians.\n");
        }
        for (JobFigures job : context.figures().jobs()) {
            if (job.agreement().status() != Agreement.Status.AGREED) {
                boolean differ = job.agreement().status() == Agreement.Status.DIFFERENT;
                String what = differ ? "the outputs differ" : "the outputs could not be compared";
                out.append("\n**On ").append(job.job()).append(' ').append(what).append(".**\n");
            }
        }
    }
}
