package io.drey.bench.tpch;

import io.drey.bench.flink.FlinkSettings;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.api.TableEnvironment;

/** The eight tables and 22 queries of TPC-H. Amounts are decimals, so that results are exact. */
public final class Tpch {
    private Tpch() {}

    /**
     * Writes the tables as text, a directory each, and returns the number of rows.
     *
     * @param scale 1 is about a gigabyte
     * @param files of each table: tasks read them side by side
     */
    public static long generate(Path directory, double scale, int files) throws IOException {
        long rows = 0;
        for (TpchTable<?> table : TpchTable.getTables()) {
            Path folder = Files.createDirectories(directory.resolve(table.getTableName()));
            for (int part = 1; part <= files; part++) {
                try (BufferedWriter out = Files.newBufferedWriter(folder.resolve("part-" + part))) {
                    for (TpchEntity row : table.createGenerator(scale, part, files)) {
                        String line = row.toLine();
                        out.write(line, 0, line.length() - 1); // Each column is followed by a delimiter, the last too.
                        out.newLine();
                        rows++;
                    }
                }
            }
        }
        return rows;
    }

    /** Tells SQL of tables that were generated. */
    public static void create(TableEnvironment environment, Path directory) throws IOException {
        for (String table : statements("tables.sql")) {
            String name = table.split("\\s+")[2];
            environment.executeSql(table + " WITH ('connector' = 'filesystem', 'path' = '"
                    + FlinkSettings.uri(directory.resolve(name)).replace("'", "''")
                    + "', 'format' = 'csv', 'csv.field-delimiter' = '|', 'csv.disable-quote-character' = 'true')");
        }
    }

    /** The queries in their order. */
    public static List<String> queries() throws IOException {
        return statements("queries.sql");
    }

    private static List<String> statements(String file) throws IOException {
        try (InputStream in = Tpch.class.getResourceAsStream("/tpch/" + file)) {
            if (in == null) {
                throw new FileNotFoundException("expected /tpch/" + file + " on the class path, found nothing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
            return Arrays.stream(text.split(";"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        }
    }
}
