package io.drey.jobs.weatherjoin;

/**
 * The right side of the join. A class with public fields because Flink keeps such classes in state field by field; a
 * number that is missing is NaN.
 */
public final class WeatherReport {
    public String airport;
    public long observedMs;
    public double temperatureF;
    public double dewPointF;
    public double humidity;
    public double windDirection;
    public double windMph;
    public double gustMph;
    public double precipitationIn;
    public double pressureMb;
    public double visibilityMiles;

    public WeatherReport() {}
}
