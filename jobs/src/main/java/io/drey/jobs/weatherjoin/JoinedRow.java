package io.drey.jobs.weatherjoin;

import io.drey.jobs.data.Flight;
import io.drey.jobs.tally.Digest;
import io.drey.jobs.tally.ResultRow;
import java.time.Instant;

/** A flight and an observation at its airport within an hour of its scheduled departure. */
public record JoinedRow(
        String flight,
        String aircraft,
        String destination,
        long scheduledMs,
        int departureDelayMin,
        long observedMs,
        double temperatureF,
        double windMph,
        double precipitationIn,
        double visibilityMiles)
        implements ResultRow {

    static JoinedRow of(FlightReport flight, WeatherReport weather) {
        return new JoinedRow(
                flight.flight,
                flight.aircraft,
                flight.destination,
                flight.scheduledMs,
                flight.departureDelayMin,
                weather.observedMs,
                weather.temperatureF,
                weather.windMph,
                weather.precipitationIn,
                weather.visibilityMiles);
    }

    @Override
    public long digest() {
        long hash = Digest.text(Digest.START, flight);
        hash = Digest.text(Digest.text(hash, aircraft), destination);
        hash = Digest.number(Digest.number(hash, scheduledMs), departureDelayMin);
        hash = Digest.number(Digest.number(hash, observedMs), temperatureF);
        hash = Digest.number(Digest.number(hash, windMph), precipitationIn);
        return Digest.end(Digest.number(hash, visibilityMiles));
    }

    @Override
    public long timestampMs() {
        return scheduledMs;
    }

    @Override
    public String line() {
        return flight + "," + (aircraft == null ? "NA" : aircraft) + "," + destination + ","
                + Instant.ofEpochMilli(scheduledMs) + ","
                + (departureDelayMin == Flight.NA ? "NA" : departureDelayMin) + "," + Instant.ofEpochMilli(observedMs)
                + "," + temperatureF + "," + windMph + "," + precipitationIn + "," + visibilityMiles;
    }
}
