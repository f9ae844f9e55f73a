package io.drey.jobs.oracle;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * The files as rows of texts by column name. The jobs have refused malformed input before the oracle is asked, so that
 * it reads without checks of its own.
 */
record RawTables(
        List<RawTables.Flight> flights, List<RawTables.Observation> weather, Map<String, Map<String, String>> planes) {
    /** A number that is missing. */
    static final Integer MISSING = null;

    /** A row of flights; times are seconds since 1970, numbers that are missing are null. */
    record Flight(
            int row,
            String id,
            String tail,
            String origin,
            String dest,
            long scheduled,
            Integer departureDelay,
            Integer arrivalDelay,
            Integer airTime) {
        boolean left() {
            return departureDelay != null;
        }

        boolean landed() {
            return left() && airTime != null;
        }

        long departure() {
            return scheduled + 60L * departureDelay;
        }

        long landing() {
            return departure() + 60L * airTime;
        }

        /** Seconds after the event at which the row's report of a kind arrives. */
        long delayOfReport(int kind) {
            long seconds = (7919L * row + 104729L * kind) % 900;
            return row % 37 == 0 ? seconds + 6 * 60 * 60 : seconds;
        }
    }

    /** A row of weather; the time is seconds since 1970, numbers that are missing are NaN. */
    record Observation(String airport, long time, Map<String, Double> measured) {}

    static RawTables read(Path directory) throws IOException {
        List<Flight> flights = new ArrayList<>();
        forEachRow(directory, "flights.csv.gz", row -> flights.add(flight(flights.size(), row)));
        List<Observation> weather = new ArrayList<>();
        forEachRow(directory, "weather.csv.gz", row -> weather.add(observation(row)));
        Map<String, Map<String, String>> planes = new HashMap<>();
        forEachRow(directory, "planes.csv.gz", row -> planes.put(row.get("tailnum"), row));
        return new RawTables(flights, weather, planes);
    }

    private static Observation observation(Map<String, String> row) {
        Map<String, Double> measured = new HashMap<>();
        for (String column : WeatherJoinOracle.MEASURED) {
            String value = row.get(column);
            measured.put(column, value.equals("NA") ? Double.NaN : Double.parseDouble(value));
        }
        return new Observation(
                row.get("origin"), Instant.parse(row.get("time_hour")).getEpochSecond(), measured);
    }

    private static Flight flight(int row, Map<String, String> values) {
        long hour = Instant.parse(values.get("time_hour")).getEpochSecond();
        int minute = Integer.parseInt(values.get("sched_dep_time")) % 100;
        String tail = values.get("tailnum");
        return new Flight(
                row,
                values.get("carrier") + Integer.parseInt(values.get("flight")) + "-" + values.get("origin") + "-" + row,
                tail.equals("NA") ? null : tail.intern(),
                values.get("origin").intern(),
                values.get("dest").intern(),
                hour + 60L * minute,
                number(values.get("dep_delay")),
                number(values.get("arr_delay")),
                number(values.get("air_time")));
    }

    static Integer number(String text) {
        return text.equals("NA") ? MISSING : Integer.valueOf(text);
    }

    private static void forEachRow(Path directory, String file, Consumer<Map<String, String>> consumer)
            throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(open(directory, file)), StandardCharsets.UTF_8))) {
            String[] names = reader.readLine().split(",");
            String line = reader.readLine();
            while (line != null) {
                String[] values = line.split(",", -1);
                Map<String, String> row = new HashMap<>();
                for (int i = 0; i < names.length; i++) {
                    row.put(names[i], values[i]);
                }
                consumer.accept(row);
                line = reader.readLine();
            }
        }
    }

    private static InputStream open(Path directory, String file) throws IOException {
        if (directory != null) {
            return Files.newInputStream(directory.resolve(file));
        }
        InputStream stream = Oracle.class.getClassLoader().getResourceAsStream("flights-2013/" + file);
        if (stream == null) {
            throw new FileNotFoundException("flights-2013/" + file + " on the class path");
        }
        return stream;
    }
}
