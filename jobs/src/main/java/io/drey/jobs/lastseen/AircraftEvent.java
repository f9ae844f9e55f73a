package io.drey.jobs.lastseen;

/**
 * Something that happened to an aircraft, as on the wire between source and operator. A class with public fields
 * because Flink serializes such classes field by field.
 */
public final class AircraftEvent {
    public String aircraft;

    /** A kind at an airport, e.g. {@code departed@EWR}. */
    public String type;

    public long timestampMs;

    public AircraftEvent() {}
}
