package io.drey.bench.cell;

import java.util.Locale;

/**
 * The progress of a cell. Its process tells the one that started it about twice a second, in a line of words:
 * {@code progress <phase> <seconds in the phase> <events since the job began> <events a second>}.
 *
 * @param phase as {@link CellPhase#text} names it
 * @param seconds since the phase began
 * @param events that the job has processed
 * @param eventsPerSecond lately
 */
public record CellMoment(String phase, double seconds, long events, double eventsPerSecond) {
    private static final String FIRST_WORD = "progress";
    private static final int WORDS = 5;

    String text() {
        return String.format(Locale.ROOT, "%s %s %.1f %d %.0f", FIRST_WORD, phase, seconds, events, eventsPerSecond);
    }

    /** Null if the line is something else: whatever a library prints. */
    static CellMoment parse(String line) {
        String[] words = line.split(" ");
        if (words.length != WORDS || !words[0].equals(FIRST_WORD)) {
            return null;
        }
        try {
            return new CellMoment(
                    words[1], Double.parseDouble(words[2]), Long.parseLong(words[3]), Double.parseDouble(words[4]));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
