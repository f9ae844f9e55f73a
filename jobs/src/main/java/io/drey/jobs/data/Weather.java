package io.drey.jobs.data;

/**
 * One hourly observation at an airport; a number that is missing is NaN. A class with public fields because Flink keeps
 * such classes in state field by field; nobody changes one after it is filled.
 */
public final class Weather {
    /** Seconds since 1970. */
    public long observedS;

    public String airport;
    public int airportIndex;
    public double temperatureF;
    public double dewPointF;
    public double humidity;
    public double windDirection;
    public double windMph;
    public double gustMph;
    public double precipitationIn;
    public double pressureMb;
    public double visibilityMiles;

    public Weather() {}
}
