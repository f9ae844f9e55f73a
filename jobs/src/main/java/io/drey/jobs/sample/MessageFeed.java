package io.drey.jobs.sample;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.data.Flight;
import io.drey.jobs.data.Weather;
import io.drey.jobs.feed.ArrivalOrder;
import io.drey.jobs.feed.Feed;
import io.drey.jobs.feed.Lag;
import io.drey.jobs.feed.Replica;
import io.drey.jobs.sample.FlightMessage.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All messages about all flights: the plan, the aircraft's master data, the weather of the scheduled hour, and what
 * happened. The code of a message is the row of the flight times 8 plus the kind.
 */
final class MessageFeed implements Feed<FlightMessage> {
    private record Hour(String airport, long hourS) {}

    private static final int KIND_BITS = 3;
    private static final int HOUR_S = 3600;

    /** From here on a flight counts as delayed. */
    private static final int DELAY_MIN = 15;

    private static final Kind[] KINDS = Kind.values();

    private final DataSet data;
    private final List<Flight> flights;
    private final Map<Hour, Weather> weather = new HashMap<>();
    private final ArrivalOrder order;

    MessageFeed(DataSet data) {
        this.data = data;
        flights = data.flights();
        for (Weather observation : data.weather()) {
            weather.put(new Hour(observation.airport, hour(observation.observedS)), observation);
        }
        ArrivalOrder.Builder builder = new ArrivalOrder.Builder();
        for (Flight flight : flights) {
            addMessages(builder, flight);
        }
        order = builder.build();
    }

    private void addMessages(ArrivalOrder.Builder builder, Flight flight) {
        add(builder, flight, Kind.PLANNED);
        if (data.plane(flight.aircraft()) != null) {
            add(builder, flight, Kind.AIRCRAFT);
        }
        if (weatherOf(flight) != null) {
            add(builder, flight, Kind.WEATHER);
        }
        if (flight.cancelled()) {
            add(builder, flight, Kind.CANCELLED);
            return;
        }
        if (flight.departureDelayMin() > DELAY_MIN) {
            add(builder, flight, Kind.DELAYED);
        }
        add(builder, flight, Kind.DEPARTED);
        if (flight.arrived()) {
            add(builder, flight, Kind.ARRIVED);
        }
    }

    private static void add(ArrivalOrder.Builder builder, Flight flight, Kind kind) {
        builder.add(
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

    private Flight flight(int position) {
        return flights.get(order.code(position) >>> KIND_BITS);
    }

    private Kind kind(int position) {
        return KINDS[order.code(position) & (1 << KIND_BITS) - 1];
    }

    @Override
    public int size() {
        return order.size();
    }

    @Override
    public int key(int position) {
        return flight(position).row();
    }

    @Override
    public long timestampMs(int position, int replica) {
        return happenedS(flight(position), kind(position)) * 1000 + Replica.shiftMs(replica);
    }

    @Override
    public FlightMessage event(int position, int replica) {
        Flight flight = flight(position);
        FlightMessage message = new FlightMessage();
        message.flight = Replica.key(flight.id(), replica);
        message.kind = kind(position);
        message.timestampMs = timestampMs(position, replica);
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
    public Duration outOfOrderness() {
        return Lag.MAX;
    }

    @Override
    public boolean waitsForWatermarks() {
        return true;
    }
}
