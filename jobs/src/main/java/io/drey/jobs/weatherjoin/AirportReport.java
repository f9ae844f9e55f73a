package io.drey.jobs.weatherjoin;

/**
 * The event of the source: a report of either side, so that both sides arrive in one order. Exactly one field is set. A
 * class with public fields because Flink serializes such classes field by field.
 */
public final class AirportReport {
    public FlightReport flight;
    public WeatherReport weather;

    public AirportReport() {}
}
