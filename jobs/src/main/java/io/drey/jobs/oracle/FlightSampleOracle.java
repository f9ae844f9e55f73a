package io.drey.jobs.oracle;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The rows of flight-sample: for each flight, everything that the files know about it. */
final class FlightSampleOracle implements ReplicaOracle {
    private static final long NOT_REPORTED = Long.MIN_VALUE;

    private record AirportHour(String airport, long hour) {}

    private final RawTables tables;
    private final Map<AirportHour, RawTables.Observation> weather = new HashMap<>();

    FlightSampleOracle(RawTables tables) {
        this.tables = tables;
        for (RawTables.Observation observation : tables.weather()) {
            weather.put(new AirportHour(observation.airport(), Math.floorDiv(observation.time(), 3600L)), observation);
        }
    }

    @Override
    public void rows(String suffix, long shiftMs, ExpectedRows rows) {
        for (RawTables.Flight flight : tables.flights()) {
            Map<String, String> plane =
                    flight.tail() == null ? null : tables.planes().get(flight.tail());
            RawTables.Observation observation =
                    weather.get(new AirportHour(flight.origin(), Math.floorDiv(flight.scheduled(), 3600L)));
            sample(flight, plane, observation, suffix, shiftMs, rows);
        }
    }

    private static void sample(
            RawTables.Flight flight,
            Map<String, String> plane,
            RawTables.Observation observation,
            String suffix,
            long shiftMs,
            ExpectedRows rows) {
        String id = flight.id() + suffix;
        long scheduled = flight.scheduled() * 1000 + shiftMs;
        boolean late = flight.left() && flight.departureDelay() > 15;
        long delayed = late ? scheduled + 15 * 60 * 1000 : NOT_REPORTED;
        long departed = flight.left() ? flight.departure() * 1000 + shiftMs : NOT_REPORTED;
        long arrived = flight.landed() ? flight.landing() * 1000 + shiftMs : NOT_REPORTED;
        long cancelled = flight.left() ? NOT_REPORTED : scheduled;
        long messages = 1L
                + (plane == null ? 0 : 1)
                + (observation == null ? 0 : 1)
                + (late ? 1 : 0)
                + 1
                + (flight.landed() ? 1 : 0);
        RowHash hash = new RowHash().add(id).add(scheduled).add(flight.tail()).add(flight.dest());
        hash.add(delayed).add(departed).add(arrived).add(cancelled).add(messages);
        addPlane(hash, plane);
        addWeather(hash, observation);
        rows.row(
                scheduled,
                hash.value(),
                () -> String.join(
                        ",",
                        id,
                        time(scheduled),
                        flight.tail() == null ? "NA" : flight.tail(),
                        flight.dest(),
                        time(delayed),
                        time(departed),
                        time(arrived),
                        time(cancelled),
                        plane == null
                                ? "NA,NA,NA,NA"
                                : String.join(
                                        ",",
                                        plane.get("year"),
                                        plane.get("manufacturer"),
                                        plane.get("model"),
                                        plane.get("seats")),
                        observation == null
                                ? "NA,NA,NA"
                                : observation.measured().get("temp") + ","
                                        + observation.measured().get("wind_speed") + ","
                                        + observation.measured().get("visib"),
                        Long.toString(messages)));
    }

    private static void addPlane(RowHash hash, Map<String, String> plane) {
        if (plane == null) {
            hash.add((String) null);
            return;
        }
        hash.add(plane.get("tailnum")).add(numberOrLowest(plane.get("year")));
        hash.add(plane.get("type")).add(plane.get("manufacturer")).add(plane.get("model"));
        hash.add(numberOrLowest(plane.get("engines"))).add(numberOrLowest(plane.get("seats")));
        hash.add(plane.get("engine"));
    }

    private static void addWeather(RowHash hash, RawTables.Observation observation) {
        if (observation == null) {
            hash.add((String) null);
            return;
        }
        hash.add(observation.airport());
        for (String column : WeatherJoinOracle.MEASURED) {
            hash.add(observation.measured().get(column).doubleValue());
        }
    }

    private static long numberOrLowest(String text) {
        Integer number = RawTables.number(text);
        return number == null ? Integer.MIN_VALUE : number;
    }

    private static String time(long timeMs) {
        return timeMs == NOT_REPORTED ? "NA" : Instant.ofEpochMilli(timeMs).toString();
    }
}
