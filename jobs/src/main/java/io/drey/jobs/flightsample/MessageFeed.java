package io.drey.jobs.flightsample;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.data.Flight;
import io.drey.jobs.data.Weather;
import io.drey.jobs.flightsample.FlightMessage.Kind;
import io.drey.jobs.replay.Lag;
import io.drey.jobs.replay.ReplayFeed;
import io.drey.jobs.replay.Replica;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All messages about all flights: the plan, the aircraft's master data, the weather of the scheduled hour, and what
 * happened. The code of a message is the row of the flight times 8 plus the kind.
 */
final class MessageFeed extends ReplayFeed<FlightMessage> {
    private record Hour(String airport, long hourS) {}

    private static final int KIND_BITS = 3;
    private static final int HOUR_S = 3600;

    /** From here on a flight counts as delayed. */
    private static final int DELAY_MIN = 15;

    private static final Kind[] KINDS = Kind.values();

    private final DataSet data;
    private final List<Flight> flights;
    private final Map<Hour, Weather> weather = new HashMap<>();

    MessageFeed(DataSet data) {
        this.data = data;
        flights = data.flights();
        for (Weather observation : data.weather()) {
            weather.put(new Hour(observation.airport, hour(observation.observedS)), observation);
        }
        for (Flight flight : flights) {
            addMessages(flight);
        }
        sort();
    }

    private void addMessages(Flight flight) {
        add(flight, Kind.PLANNED);
        if (data.plane(flight.aircraft()) != null) {
            add(flight, Kind.AIRCRAFT);
        }
        if (weatherOf(flight) != null) {
            add(flight, Kind.WEATHER);
        }
        if (flight.cancelled()) {
            add(flight, Kind.CANCELLED);
            return;
        }
        if (flight.departureDelayMin() > DELAY_MIN) {
            add(flight, Kind.DELAYED);
        }
        add(flight, Kind.DEPARTED);
        if (flight.arrived()) {
            add(flight, Kind.ARRIVED);
        }
    }

    private void add(Flight flight, Kind kind) {
        add(
                happenedS(flight, kind) + Lag.seconds(flight.row(), kind.ordinal()),
                flight.row() << KIND_BITS | kind.ordinal());
    }

    private static long happenedS(Flight flight, Kind kind) {
        return switch (kind) {
            case PLANNED, AIRCRAFT, CANCELLED -> flight.scheduledS();
            case WEATHER -> hour(flight.scheduledS()) * HOUR_S;
            case DELAYED -> flight.scheduledS() + DELAY_MIN * 60;
            case DEPARTED -> flight.departedS();
            case ARRIVED -> flight.arrivedS();
        };
    }

    /** Hours since 1970. */
    private static long hour(long seconds) {
        return Math.floorDiv(seconds, HOUR_S);
    }

    private Weather weatherOf(Flight flight) {
        return weather.get(new Hour(flight.origin(), hour(flight.scheduledS())));
    }

    private Flight flight(int code) {
        return flights.get(code >>> KIND_BITS);
    }

    private static Kind kind(int code) {
        return KINDS[code & (1 << KIND_BITS) - 1];
    }

    @Override
    protected int keyOf(int code) {
        return flight(code).row();
    }

    @Override
    protected long happenedS(int code) {
        return happenedS(flight(code), kind(code));
    }

    @Override
    protected FlightMessage make(int code, int replica) {
        Flight flight = flight(code);
        FlightMessage message = new FlightMessage();
        message.flight = Replica.key(flight.id(), replica);
        message.kind = kind(code);
        message.timestampMs = timeOf(code, replica);
        message.scheduledMs = flight.scheduledS() * 1000 + Replica.shiftMs(replica);
        switch (message.kind) {
            case PLANNED -> {
                message.aircraft = flight.aircraft();
                message.destination = flight.destination();
            }
            case AIRCRAFT -> message.plane = data.plane(flight.aircraft());
            case WEATHER -> message.weather = weatherOf(flight);
            case DELAYED, DEPARTED, ARRIVED, CANCELLED -> {
                // The time is the message.
            }
        }
        return message;
    }

    @Override
    protected boolean waitsForWatermarks() {
        return true;
    }
}
