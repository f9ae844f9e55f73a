package io.drey.jobs.data;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A data set in memory (about 60 MB for the one that ships with Drey). It is read once per process and place and shared
 * by everyone who asks while it is in use, so that a replayed source costs no parsing. Immutable.
 */
public final class DataSet {
    /** Rows of one file; more would not fit the numbering of events, nor the memory. */
    static final int ROWS_MAX = 1 << 22;

    private static final int MINUTES_PER_DAY = 24 * 60;
    private static final int DELAY_MIN_MIN = -MINUTES_PER_DAY;

    /** A delay above this would reach beyond the window in which a flight is followed. */
    private static final int DELAY_MIN_MAX = 3 * MINUTES_PER_DAY;

    private static final Map<String, WeakReference<DataSet>> LOADED = new HashMap<>();

    private final List<Flight> flights;
    private final List<Weather> weather;
    private final Map<String, Plane> planes;

    private DataSet(List<Flight> flights, List<Weather> weather, Map<String, Plane> planes) {
        this.flights = List.copyOf(flights);
        this.weather = List.copyOf(weather);
        this.planes = Map.copyOf(planes);
    }

    /** Reads a data set, or returns the one that is already in memory; wrong input is an {@link InputException}. */
    public static DataSet load(DataLocation location) throws IOException {
        String stamp = location.stamp();
        synchronized (LOADED) {
            WeakReference<DataSet> reference = LOADED.get(stamp);
            DataSet loaded = reference == null ? null : reference.get();
            if (loaded == null) {
                loaded = read(location);
                LOADED.values().removeIf(old -> old.get() == null);
                LOADED.put(stamp, new WeakReference<>(loaded));
            }
            return loaded;
        }
    }

    /** All flights, by scheduled hour. */
    public List<Flight> flights() {
        return flights;
    }

    /** All observations, in the order of the file. */
    public List<Weather> weather() {
        return weather;
    }

    /** Master data of an aircraft, or null if there is none. */
    public Plane plane(String aircraft) {
        return aircraft == null ? null : planes.get(aircraft);
    }

    private static DataSet read(DataLocation location) throws IOException {
        Interner strings = new Interner();
        Interner airports = new Interner();
        return new DataSet(
                readFlights(location, strings, airports),
                readWeather(location, airports),
                readPlanes(location, strings));
    }

    private static List<Flight> readFlights(DataLocation location, Interner strings, Interner airports)
            throws IOException {
        Interner aircraft = new Interner();
        List<Flight> flights = new ArrayList<>();
        try (CsvReader csv = new CsvReader(location, DataFile.FLIGHTS)) {
            while (csv.next()) {
                checkCount(csv, flights.size());
                boolean known = !csv.text(9).equals("NA");
                String origin = airports.same(csv.text(10));
                int scheduledTime = csv.required(1, 0, 2400);
                int minute = scheduledTime % 100;
                if (minute > 59) {
                    throw csv.fail("a local time hhmm for sched_dep_time", Integer.toString(scheduledTime));
                }
                flights.add(new Flight(
                        flights.size(),
                        csv.instant(0) + minute * 60L,
                        strings.same(csv.text(7)),
                        csv.required(8, 0, 99_999),
                        known ? aircraft.same(csv.text(9)) : null,
                        known ? aircraft.index(csv.text(9)) : -1,
                        origin,
                        airports.index(origin),
                        strings.same(csv.text(11)),
                        csv.integer(3, DELAY_MIN_MIN, DELAY_MIN_MAX),
                        csv.integer(6, DELAY_MIN_MIN, DELAY_MIN_MAX),
                        csv.integer(12, 0, MINUTES_PER_DAY),
                        csv.required(13, 0, 20_000)));
            }
        }
        return flights;
    }

    private static List<Weather> readWeather(DataLocation location, Interner airports) throws IOException {
        List<Weather> observations = new ArrayList<>();
        try (CsvReader csv = new CsvReader(location, DataFile.WEATHER)) {
            while (csv.next()) {
                checkCount(csv, observations.size());
                Weather weather = new Weather();
                weather.observedS = csv.instant(14);
                weather.airport = airports.same(csv.text(0));
                weather.airportIndex = airports.index(weather.airport);
                weather.temperatureF = csv.decimal(5);
                weather.dewPointF = csv.decimal(6);
                weather.humidity = csv.decimal(7);
                weather.windDirection = csv.decimal(8);
                weather.windMph = csv.decimal(9);
                weather.gustMph = csv.decimal(10);
                weather.precipitationIn = csv.decimal(11);
                weather.pressureMb = csv.decimal(12);
                weather.visibilityMiles = csv.decimal(13);
                observations.add(weather);
            }
        }
        return observations;
    }

    private static Map<String, Plane> readPlanes(DataLocation location, Interner strings) throws IOException {
        Map<String, Plane> planes = new HashMap<>();
        try (CsvReader csv = new CsvReader(location, DataFile.PLANES)) {
            while (csv.next()) {
                checkCount(csv, planes.size());
                Plane plane = new Plane();
                plane.aircraft = csv.text(0);
                plane.year = csv.integer(1, 1900, 2100);
                plane.type = strings.same(csv.text(2));
                plane.manufacturer = strings.same(csv.text(3));
                plane.model = strings.same(csv.text(4));
                plane.engines = csv.integer(5, 0, 100);
                plane.seats = csv.integer(6, 0, 10_000);
                plane.engine = strings.same(csv.text(8));
                if (planes.put(plane.aircraft, plane) != null) {
                    throw csv.fail("each tailnum once", plane.aircraft + " again");
                }
            }
        }
        return planes;
    }

    private static void checkCount(CsvReader csv, int rows) throws InputException {
        if (rows == ROWS_MAX) {
            throw csv.fail("at most " + ROWS_MAX + " rows", "more");
        }
    }
}
