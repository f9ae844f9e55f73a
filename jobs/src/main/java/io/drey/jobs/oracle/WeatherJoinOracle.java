package io.drey.jobs.oracle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of weather-join: for each flight, the observations of its airport up to an hour away, both ends included.
 */
final class WeatherJoinOracle implements ReplicaOracle {
    static final List<String> MEASURED =
            List.of("temp", "dewp", "humid", "wind_dir", "wind_speed", "wind_gust", "precip", "pressure", "visib");

    private static final long HOUR = 3600;

    private final RawTables tables;

    /** Observations by airport and hour since 1970. */
    private final Map<String, Map<Long, List<RawTables.Observation>>> byHour = new HashMap<>();

    WeatherJoinOracle(RawTables tables) {
        this.tables = tables;
        for (RawTables.Observation observation : tables.weather()) {
            byHour.computeIfAbsent(observation.airport(), key -> new HashMap<>())
                    .computeIfAbsent(Math.floorDiv(observation.time(), HOUR), key -> new ArrayList<>())
                    .add(observation);
        }
    }

    @Override
    public void rows(String suffix, long shiftMs, ExpectedRows rows) {
        for (RawTables.Flight flight : tables.flights()) {
            Map<Long, List<RawTables.Observation>> hours = byHour.getOrDefault(flight.origin(), Map.of());
            long hour = Math.floorDiv(flight.scheduled(), HOUR);
            for (long near = hour - 1; near <= hour + 1; near++) {
                for (RawTables.Observation observation : hours.getOrDefault(near, List.of())) {
                    if (Math.abs(observation.time() - flight.scheduled()) <= HOUR) {
                        pair(flight, observation, suffix, shiftMs, rows);
                    }
                }
            }
        }
    }

    private static void pair(
            RawTables.Flight flight,
            RawTables.Observation observation,
            String suffix,
            long shiftMs,
            ExpectedRows rows) {
        String id = flight.id() + suffix;
        long scheduled = flight.scheduled() * 1000 + shiftMs;
        long observed = observation.time() * 1000 + shiftMs;
        double temperature = observation.measured().get("temp");
        double wind = observation.measured().get("wind_speed");
        double rain = observation.measured().get("precip");
        double visibility = observation.measured().get("visib");
        Integer delay = flight.departureDelay();
        long digest = new RowHash()
                .add(id)
                .add(flight.tail())
                .add(flight.dest())
                .add(scheduled)
                .add(delay == null ? Integer.MIN_VALUE : delay.longValue())
                .add(observed)
                .add(temperature)
                .add(wind)
                .add(rain)
                .add(visibility)
                .value();
        rows.row(
                scheduled,
                digest,
                () -> String.join(
                        ",",
                        id,
                        flight.tail() == null ? "NA" : flight.tail(),
                        flight.dest(),
                        Instant.ofEpochMilli(scheduled).toString(),
                        delay == null ? "NA" : delay.toString(),
                        Instant.ofEpochMilli(observed).toString(),
                        Double.toString(temperature),
                        Double.toString(wind),
                        Double.toString(rain),
                        Double.toString(visibility)));
    }
}
