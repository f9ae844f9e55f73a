package io.drey.jobs.flightsample;

import io.drey.jobs.data.Plane;
import io.drey.jobs.data.Weather;

/**
 * One message of the united streams about a flight. A class with public fields because Flink serializes such classes
 * field by field; what does not belong to the kind of message is null.
 */
public final class FlightMessage {
    /** The subject of a message. */
    public enum Kind {
        PLANNED,
        AIRCRAFT,
        WEATHER,
        DELAYED,
        DEPARTED,
        ARRIVED,
        CANCELLED
    }

    public String flight;
    public Kind kind;

    /** When it happened. */
    public long timestampMs;

    /** The flight's scheduled departure, from which its window is counted; in every message. */
    public long scheduledMs;

    /** Of a message PLANNED: tail number or null. */
    public String aircraft;

    /** Of a message PLANNED. */
    public String destination;

    /** Of a message AIRCRAFT. */
    public Plane plane;

    /** Of a message WEATHER. */
    public Weather weather;

    public FlightMessage() {}
}
