package io.drey.bench.micro;

import io.drey.bench.format.Quantity;
import io.drey.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** Results as Markdown: one table for each group of benchmarks, one line for each operation and size. */
public final class MicroTable {
    /** Its name in a folder of results. */
    public static final String FILE = "micro.md";

    private static final String NONE = "–";
    private static final String DREY = "drey";

    private MicroTable() {}

    /** Writes result and table into a folder. */
    public static void write(Path folder, MicroResult result) throws IOException {
        Files.createDirectories(folder);
        ResultJson.write(folder.resolve(MicroResult.FILE), result);
        Files.writeString(folder.resolve(FILE), of(result));
    }

    /** The whole document. */
    public static String of(MicroResult result) {
        StringBuilder out = new StringBuilder("# What single operations cost\n\n");
        out.append("Nanoseconds an operation, medians over iterations; ")
                .append(result.startedAt(), 0, Math.min(10, result.startedAt().length()))
                .append(" on ")
                .append(result.machine())
                .append("; ")
                .append(result.java())
                .append(". *Ratio*: the faster RocksDB by Drey, in time and in processor time of the calling thread,"
                        + " which others on the machine disturb less. *CPU*, *bytes* on the heap and *reads* of"
                        + " files are Drey's, an operation.\n\n"
                        + "```\n")
                .append(result.command())
                .append("\n```\n");
        Map<String, List<MicroRow>> groups = new LinkedHashMap<>();
        result.rows()
                .forEach(row -> groups.computeIfAbsent(row.group(), group -> new ArrayList<>())
                        .add(row));
        groups.forEach((group, rows) -> append(out, group, rows));
        return out.toString();
    }

    private static void append(StringBuilder out, String group, List<MicroRow> rows) {
        Set<String> contenders = new LinkedHashSet<>();
        rows.forEach(row -> contenders.addAll(row.scores().keySet()));
        out.append("\n## ").append(words(group)).append("\n\n| operation | ");
        contenders.forEach(contender -> out.append(contender).append(" | "));
        out.append("ratio | ratio, CPU | CPU | bytes | reads |\n|---|").append("--:|".repeat(contenders.size() + 5));
        out.append('\n');
        for (MicroRow row : rows) {
            out.append("| ").append(name(row)).append(" | ");
            for (String contender : contenders) {
                MicroScore score = row.scores().get(contender);
                out.append(score == null ? NONE : number(score.nanos())).append(" | ");
            }
            MicroScore drey = row.scores().get(DREY);
            out.append(ratio(row.timesRocksDb())).append(" | ");
            out.append(ratio(row.timesRocksDbByCpu())).append(" | ");
            out.append(drey == null ? NONE : number(drey.cpuNanos())).append(" | ");
            out.append(drey == null ? NONE : fraction(drey.heapBytes())).append(" | ");
            out.append(drey == null ? NONE : fraction(drey.reads())).append(" |\n");
        }
    }

    private static String name(MicroRow row) {
        StringJoiner name = new StringJoiner(", ");
        name.add(words(row.operation()).toLowerCase(Locale.ROOT));
        row.sizes().forEach((size, value) -> name.add(words(size).toLowerCase(Locale.ROOT) + " " + value));
        return name.toString();
    }

    /** A name of code as people write it: {@code getHit} is get hit. */
    private static String words(String name) {
        String spaced = name.replaceAll("(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Z])", " ");
        return spaced.substring(0, 1).toUpperCase(Locale.ROOT)
                + spaced.substring(1).toLowerCase(Locale.ROOT);
    }

    private static String number(double value) {
        return value < 0 ? NONE : Quantity.number(value);
    }

    private static String ratio(double value) {
        return value < 0 ? NONE : Quantity.number(value) + "×";
    }

    private static String fraction(double value) {
        return value < 0 ? NONE : String.format(Locale.ROOT, "%,.2f", value);
    }
}
