package io.drey.jobs.oracle;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The updates of last-seen: all events of a replica in the order of arrival, against a table of last times. */
final class LastSeenOracle implements ReplicaOracle {
    private static final long NEVER = Long.MIN_VALUE;

    /** An event; the slot stands for the pair of aircraft and type. */
    private record Event(long arrival, int row, int kind, long time, String tail, String type, int slot) {}

    private final List<Event> events = new ArrayList<>();
    private final Map<String, Integer> slots = new HashMap<>();

    LastSeenOracle(RawTables tables) {
        for (RawTables.Flight flight : tables.flights()) {
            if (flight.tail() != null) {
                addFlight(flight);
            }
        }
        events.sort(Comparator.comparingLong(Event::arrival)
                .thenComparingInt(Event::row)
                .thenComparingInt(Event::kind));
    }

    private void addFlight(RawTables.Flight flight) {
        long scheduled = flight.scheduled();
        event(flight, 0, scheduled, "scheduled", flight.origin());
        event(flight, 1, scheduled, "scheduled", flight.dest());
        if (!flight.left()) {
            event(flight, 6, scheduled, "cancelled", flight.origin());
            event(flight, 7, scheduled, "cancelled", flight.dest());
            return;
        }
        if (flight.departureDelay() > 15) {
            event(flight, 2, scheduled + 900, "delayed", flight.origin());
        }
        event(flight, 3, flight.departure(), "departed", flight.origin());
        if (flight.landed()) {
            Integer late = flight.arrivalDelay();
            if (late != null && late > 15) {
                event(flight, 4, flight.landing() - 60L * late + 900, "delayed", flight.dest());
            }
            event(flight, 5, flight.landing(), "arrived", flight.dest());
        }
    }

    private void event(RawTables.Flight flight, int kind, long time, String word, String airport) {
        String type = (word + "@" + airport).intern();
        int slot = slots.computeIfAbsent(flight.tail() + " " + type, key -> slots.size());
        events.add(new Event(time + flight.delayOfReport(kind), flight.row(), kind, time, flight.tail(), type, slot));
    }

    @Override
    public void rows(String suffix, long shiftMs, ExpectedRows rows) {
        long[] last = new long[slots.size()];
        Arrays.fill(last, NEVER);
        for (Event event : events) {
            long time = event.time() * 1000 + shiftMs;
            long previous = last[event.slot()];
            if (previous < time) {
                last[event.slot()] = time;
                String aircraft = event.tail() + suffix;
                long digest = new RowHash()
                        .add(aircraft)
                        .add(event.type())
                        .add(time)
                        .add(previous)
                        .value();
                rows.row(
                        time,
                        digest,
                        () -> aircraft + "," + event.type() + "," + Instant.ofEpochMilli(time) + ","
                                + (previous == NEVER ? "never" : Instant.ofEpochMilli(previous)));
            }
        }
    }
}
