package io.drey.jobs.lastseen;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.data.Flight;
import io.drey.jobs.feed.ArrivalOrder;
import io.drey.jobs.feed.Feed;
import io.drey.jobs.feed.Lag;
import io.drey.jobs.feed.Replica;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of all known aircraft. A flight is scheduled at both its airports, is perhaps delayed (by more than a
 * quarter of an hour), departs, is perhaps overdue at its destination, and arrives; or it is cancelled at both. The
 * code of an event is the row of the flight times 16 plus the kind.
 */
final class AircraftFeed implements Feed<AircraftEvent> {
    private enum Kind {
        SCHEDULED_FROM("scheduled", true),
        SCHEDULED_TO("scheduled", false),
        DELAYED_FROM("delayed", true),
        DEPARTED("departed", true),
        DELAYED_TO("delayed", false),
        ARRIVED("arrived", false),
        CANCELLED_FROM("cancelled", true),
        CANCELLED_TO("cancelled", false);

        private static final Kind[] ALL = values();

        private final String word;
        private final boolean atOrigin;

        Kind(String word, boolean atOrigin) {
            this.word = word;
            this.atOrigin = atOrigin;
        }
    }

    private static final int KIND_BITS = 4;

    /** From here on a flight counts as delayed. */
    private static final int DELAY_MIN = 15;

    private final List<Flight> flights;
    private final ArrivalOrder order;

    /** The text of each kind at each airport, so that an event does not have to make it. */
    private final Map<String, String[]> types = new HashMap<>();

    AircraftFeed(DataSet data) {
        flights = data.flights();
        ArrivalOrder.Builder builder = new ArrivalOrder.Builder();
        for (Flight flight : flights) {
            if (flight.aircraft() != null) {
                addEvents(builder, flight);
                addTypes(flight.origin());
                addTypes(flight.destination());
            }
        }
        order = builder.build();
    }

    private static void addEvents(ArrivalOrder.Builder builder, Flight flight) {
        add(builder, flight, Kind.SCHEDULED_FROM);
        add(builder, flight, Kind.SCHEDULED_TO);
        if (flight.cancelled()) {
            add(builder, flight, Kind.CANCELLED_FROM);
            add(builder, flight, Kind.CANCELLED_TO);
            return;
        }
        if (flight.departureDelayMin() > DELAY_MIN) {
            add(builder, flight, Kind.DELAYED_FROM);
        }
        add(builder, flight, Kind.DEPARTED);
        if (flight.arrived()) {
            if (flight.arrivalDelayMin() > DELAY_MIN) {
                add(builder, flight, Kind.DELAYED_TO);
            }
            add(builder, flight, Kind.ARRIVED);
        }
    }

    private static void add(ArrivalOrder.Builder builder, Flight flight, Kind kind) {
        builder.add(
                happenedS(flight, kind) + Lag.seconds(flight.row(), kind.ordinal()),
                flight.row() << KIND_BITS | kind.ordinal());
    }

    private void addTypes(String airport) {
        types.computeIfAbsent(airport, key -> {
            String[] texts = new String[Kind.ALL.length];
            for (Kind kind : Kind.ALL) {
                texts[kind.ordinal()] = kind.word + "@" + key;
            }
            return texts;
        });
    }

    private static long happenedS(Flight flight, Kind kind) {
        return switch (kind) {
            case SCHEDULED_FROM, SCHEDULED_TO, CANCELLED_FROM, CANCELLED_TO -> flight.scheduledS();
            case DELAYED_FROM -> flight.scheduledS() + DELAY_MIN * 60;
            case DEPARTED -> flight.departedS();
            case DELAYED_TO -> flight.arrivedS() + (DELAY_MIN - flight.arrivalDelayMin()) * 60L;
            case ARRIVED -> flight.arrivedS();
        };
    }

    private Flight flight(int position) {
        return flights.get(order.code(position) >>> KIND_BITS);
    }

    private Kind kind(int position) {
        return Kind.ALL[order.code(position) & (1 << KIND_BITS) - 1];
    }

    @Override
    public int size() {
        return order.size();
    }

    @Override
    public int key(int position) {
        return flight(position).aircraftIndex();
    }

    @Override
    public long timestampMs(int position, int replica) {
        return happenedS(flight(position), kind(position)) * 1000 + Replica.shiftMs(replica);
    }

    @Override
    public AircraftEvent event(int position, int replica) {
        Flight flight = flight(position);
        Kind kind = kind(position);
        AircraftEvent event = new AircraftEvent();
        event.aircraft = Replica.key(flight.aircraft(), replica);
        event.type = types.get(kind.atOrigin ? flight.origin() : flight.destination())[kind.ordinal()];
        event.timestampMs = timestampMs(position, replica);
        return event;
    }

    @Override
    public Duration outOfOrderness() {
        return Lag.MAX;
    }

    @Override
    public boolean waitsForWatermarks() {
        return false;
    }
}
