package io.drey.jobs.flightsample;

import io.drey.jobs.data.Flight;
import io.drey.jobs.data.Plane;
import io.drey.jobs.data.Weather;
import io.drey.jobs.tally.Digest;
import io.drey.jobs.tally.ResultRow;
import java.time.Instant;

/** A finished sample. */
public record SampleRow(String flight, FlightMessages sample) implements ResultRow {
    @Override
    public long digest() {
        long hash = Digest.text(Digest.START, flight);
        hash = Digest.number(hash, sample.scheduledMs);
        hash = Digest.text(Digest.text(hash, sample.aircraft), sample.destination);
        hash = Digest.number(Digest.number(hash, sample.delayedMs), sample.departedMs);
        hash = Digest.number(Digest.number(hash, sample.arrivedMs), sample.cancelledMs);
        hash = Digest.number(hash, sample.messages);
        hash = plane(hash, sample.plane);
        return Digest.end(weather(hash, sample.weather));
    }

    private static long plane(long start, Plane plane) {
        if (plane == null) {
            return Digest.text(start, null);
        }
        long hash = Digest.number(Digest.text(start, plane.aircraft), plane.year);
        hash = Digest.text(Digest.text(hash, plane.type), plane.manufacturer);
        hash = Digest.number(Digest.text(hash, plane.model), plane.engines);
        return Digest.text(Digest.number(hash, plane.seats), plane.engine);
    }

    private static long weather(long start, Weather weather) {
        if (weather == null) {
            return Digest.text(start, null);
        }
        long hash = Digest.text(start, weather.airport);
        hash = Digest.number(Digest.number(hash, weather.temperatureF), weather.dewPointF);
        hash = Digest.number(Digest.number(hash, weather.humidity), weather.windDirection);
        hash = Digest.number(Digest.number(hash, weather.windMph), weather.gustMph);
        hash = Digest.number(Digest.number(hash, weather.precipitationIn), weather.pressureMb);
        return Digest.number(hash, weather.visibilityMiles);
    }

    @Override
    public long timestampMs() {
        return sample.scheduledMs;
    }

    @Override
    public String line() {
        Plane plane = sample.plane;
        Weather weather = sample.weather;
        return flight + "," + time(sample.scheduledMs) + "," + text(sample.aircraft) + "," + text(sample.destination)
                + "," + time(sample.delayedMs) + "," + time(sample.departedMs) + "," + time(sample.arrivedMs) + ","
                + time(sample.cancelledMs) + ","
                + (plane == null ? "NA,NA,NA,NA" : planeText(plane)) + ","
                + (weather == null ? "NA,NA,NA" : weatherText(weather)) + "," + sample.messages;
    }

    private static String planeText(Plane plane) {
        return (plane.year == Flight.NA ? "NA" : plane.year) + "," + plane.manufacturer + "," + plane.model + ","
                + (plane.seats == Flight.NA ? "NA" : plane.seats);
    }

    private static String weatherText(Weather weather) {
        return weather.temperatureF + "," + weather.windMph + "," + weather.visibilityMiles;
    }

    private static String time(long timestampMs) {
        return timestampMs == FlightMessages.NOT_REPORTED
                ? "NA"
                : Instant.ofEpochMilli(timestampMs).toString();
    }

    private static String text(String text) {
        return text == null ? "NA" : text;
    }
}
