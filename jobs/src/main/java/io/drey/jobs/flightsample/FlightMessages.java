package io.drey.jobs.flightsample;

import io.drey.jobs.data.Plane;
import io.drey.jobs.data.Weather;

/**
 * The messages of a flight, collected so far: the object in state. A class with public fields because Flink keeps such
 * classes in state field by field.
 */
public final class FlightMessages {
    /** Something that has not been reported. */
    public static final long NOT_REPORTED = Long.MIN_VALUE;

    public long scheduledMs;
    public String aircraft;
    public String destination;
    public long delayedMs = NOT_REPORTED;
    public long departedMs = NOT_REPORTED;
    public long arrivedMs = NOT_REPORTED;
    public long cancelledMs = NOT_REPORTED;
    public Plane plane;
    public Weather weather;

    /** Number of messages, so that a lost or doubled one shows in the result. */
    public int messages;

    public FlightMessages() {}

    void collect(FlightMessage message) {
        messages++;
        scheduledMs = message.scheduledMs;
        switch (message.kind) {
            case PLANNED -> {
                aircraft = message.aircraft;
                destination = message.destination;
            }
            case AIRCRAFT -> plane = message.plane;
            case WEATHER -> weather = message.weather;
            case DELAYED -> delayedMs = message.timestampMs;
            case DEPARTED -> departedMs = message.timestampMs;
            case ARRIVED -> arrivedMs = message.timestampMs;
            case CANCELLED -> cancelledMs = message.timestampMs;
        }
    }
}
