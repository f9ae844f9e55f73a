package io.drey.jobs.weatherjoin;

/**
 * The left side of the join. A class with public fields because Flink keeps such classes in state field by field; a
 * number that is missing is {@link io.drey.jobs.data.Flight#NA}.
 */
public final class FlightReport {
    public String flight;
    public String airport;
    public String carrier;

    /** Tail number, or null. */
    public String aircraft;

    public String destination;
    public long scheduledMs;
    public int departureDelayMin;
    public int arrivalDelayMin;
    public int airTimeMin;
    public int distanceMiles;

    public FlightReport() {}
}
