package io.drey.jobs.data;

/**
 * One flight of the data set.
 *
 * @param row its place in the file, from 0; together with the carrier and number it names the flight
 * @param scheduledS scheduled departure, seconds since 1970
 * @param aircraft tail number, or null if unknown
 * @param aircraftIndex a number for the aircraft, from 0 without gaps, or -1 if unknown
 * @param originIndex a number for the airport of departure, from 0
 * @param departureDelayMin minutes late at departure, negative if early; {@link #NA} if cancelled
 * @param arrivalDelayMin minutes late at arrival, or {@link #NA}
 * @param airTimeMin minutes in the air, or {@link #NA} if it did not arrive where it should
 * @param distanceMiles from origin to destination
 */
public record Flight(
        int row,
        long scheduledS,
        String carrier,
        int number,
        String aircraft,
        int aircraftIndex,
        String origin,
        int originIndex,
        String destination,
        int departureDelayMin,
        int arrivalDelayMin,
        int airTimeMin,
        int distanceMiles) {
    /** A number that is missing. */
    public static final int NA = CsvReader.NA;

    /** It never left. */
    public boolean cancelled() {
        return departureDelayMin == NA;
    }

    /** Actual departure, seconds since 1970; only of a flight that was not cancelled. */
    public long departedS() {
        return scheduledS + departureDelayMin * 60L;
    }

    /** Whether it arrived at its destination. */
    public boolean arrived() {
        return !cancelled() && airTimeMin != NA;
    }

    /** Touchdown, seconds since 1970; only of a flight that {@link #arrived}. */
    public long arrivedS() {
        return departedS() + airTimeMin * 60L;
    }

    /** Carrier, number, airport and row: the same for no two flights. */
    public String id() {
        return carrier + number + "-" + origin + "-" + row;
    }
}
