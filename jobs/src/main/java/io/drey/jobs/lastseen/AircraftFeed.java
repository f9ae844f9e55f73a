package io.drey.jobs.lastseen;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.data.Flight;
import io.drey.jobs.replay.Lag;
import io.drey.jobs.replay.ReplayFeed;
import io.drey.jobs.replay.Replica;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of all known aircraft. A flight is scheduled at both its airports, is perhaps delayed (by more than a
 * quarter of an hour), departs, is perhaps overdue at its destination, and arrives; or it is cancelled at both. The
 * code of an event is the row of the flight times 16 plus the kind.
 */
final class AircraftFeed extends ReplayFeed<AircraftEvent> {
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

    /** The text of each kind at each airport, so that an event does not have to make it. */
    private final Map<String, String[]> types = new HashMap<>();

    AircraftFeed(DataSet data) {
        flights = data.flights();
        for (Flight flight : flights) {
            if (flight.aircraft() != null) {
                addEvents(flight);
                addTypes(flight.origin());
                addTypes(flight.destination());
            }
        }
        sort();
    }

    private void addEvents(Flight flight) {
        add(flight, Kind.SCHEDULED_FROM);
        add(flight, Kind.SCHEDULED_TO);
        if (flight.cancelled()) {
            add(flight, Kind.CANCELLED_FROM);
            add(flight, Kind.CANCELLED_TO);
            return;
        }
        if (flight.departureDelayMin() > DELAY_MIN) {
            add(flight, Kind.DELAYED_FROM);
        }
        add(flight, Kind.DEPARTED);
        if (flight.arrived()) {
            if (flight.arrivalDelayMin() > DELAY_MIN) {
                add(flight, Kind.DELAYED_TO);
            }
            add(flight, Kind.ARRIVED);
        }
    }

    private void add(Flight flight, Kind kind) {
        add(
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

    private Flight flight(int code) {
        return flights.get(code >>> KIND_BITS);
    }

    private static Kind kind(int code) {
        return Kind.ALL[code & (1 << KIND_BITS) - 1];
    }

    @Override
    protected int keyOf(int code) {
        return flight(code).aircraftIndex();
    }

    @Override
    protected long happenedS(int code) {
        return happenedS(flight(code), kind(code));
    }

    @Override
    protected AircraftEvent make(int code, int replica) {
        Flight flight = flight(code);
        Kind kind = kind(code);
        AircraftEvent event = new AircraftEvent();
        event.aircraft = Replica.key(flight.aircraft(), replica);
        event.type = types.get(kind.atOrigin ? flight.origin() : flight.destination())[kind.ordinal()];
        event.timestampMs = timeOf(code, replica);
        return event;
    }

    @Override
    protected boolean waitsForWatermarks() {
        return false;
    }
}
