package io.drey.jobs.weatherjoin;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.data.Flight;
import io.drey.jobs.data.Weather;
import io.drey.jobs.replay.Lag;
import io.drey.jobs.replay.ReplayFeed;
import io.drey.jobs.replay.Replica;
import java.time.Duration;
import java.util.List;

/**
 * Flights at their scheduled departure, and the weather, which arrives two days after the observation, as from an
 * archive that checks its data first; until then flights wait in state. The code of an event is the row times 2, plus 1
 * for weather.
 */
final class AirportFeed extends ReplayFeed<AirportReport> {
    private static final Duration WEATHER_LAG = Duration.ofDays(2);
    private static final int FLIGHT = 0;
    private static final int WEATHER = 1;

    private final List<Flight> flights;
    private final List<Weather> weather;

    AirportFeed(DataSet data) {
        flights = data.flights();
        weather = data.weather();
        for (Flight flight : flights) {
            add(flight.scheduledS() + Lag.seconds(flight.row(), FLIGHT), flight.row() << 1 | FLIGHT);
        }
        for (int row = 0; row < weather.size(); row++) {
            add(weather.get(row).observedS + WEATHER_LAG.toSeconds(), row << 1 | WEATHER);
        }
        sort();
    }

    /** The row and not the airport: the order within an airport does not matter to a join, and rows share out evenly. */
    @Override
    protected int keyOf(int code) {
        return code >>> 1;
    }

    @Override
    protected long happenedS(int code) {
        return (code & 1) == FLIGHT ? flights.get(code >>> 1).scheduledS() : weather.get(code >>> 1).observedS;
    }

    @Override
    protected AirportReport make(int code, int replica) {
        AirportReport report = new AirportReport();
        if ((code & 1) == FLIGHT) {
            report.flight = flightReport(flights.get(code >>> 1), replica);
        } else {
            report.weather = weatherReport(weather.get(code >>> 1), replica);
        }
        return report;
    }

    private static FlightReport flightReport(Flight flight, int replica) {
        FlightReport report = new FlightReport();
        report.flight = Replica.key(flight.id(), replica);
        report.airport = Replica.key(flight.origin(), replica);
        report.carrier = flight.carrier();
        report.aircraft = flight.aircraft();
        report.destination = flight.destination();
        report.scheduledMs = flight.scheduledS() * 1000 + Replica.shiftMs(replica);
        report.departureDelayMin = flight.departureDelayMin();
        report.arrivalDelayMin = flight.arrivalDelayMin();
        report.airTimeMin = flight.airTimeMin();
        report.distanceMiles = flight.distanceMiles();
        return report;
    }

    private static WeatherReport weatherReport(Weather weather, int replica) {
        WeatherReport report = new WeatherReport();
        report.airport = Replica.key(weather.airport, replica);
        report.observedMs = weather.observedS * 1000 + Replica.shiftMs(replica);
        report.temperatureF = weather.temperatureF;
        report.dewPointF = weather.dewPointF;
        report.humidity = weather.humidity;
        report.windDirection = weather.windDirection;
        report.windMph = weather.windMph;
        report.gustMph = weather.gustMph;
        report.precipitationIn = weather.precipitationIn;
        report.pressureMb = weather.pressureMb;
        report.visibilityMiles = weather.visibilityMiles;
        return report;
    }

    @Override
    protected Duration outOfOrderness() {
        return WEATHER_LAG.compareTo(Lag.MAX) > 0 ? WEATHER_LAG : Lag.MAX;
    }

    @Override
    protected boolean waitsForWatermarks() {
        return true;
    }
}
