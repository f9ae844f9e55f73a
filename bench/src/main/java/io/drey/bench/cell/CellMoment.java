package io.drey.bench.cell;

import java.util.Locale;

/**
 * The progress of a cell. Its process tells the one that started it about twice a second, in a line of words:
 * {@code progress <phase> <seconds in the phase> <share of the phase that is done> <events a second>}.
 *
 * @param phase as {@link CellPhase#text} names it
 * @param seconds since the phase began
 * @param done share of the phase, from 0 to 1; -1 if nobody knows
 * @param eventsPerSecond lately
 */
public record CellMoment(String phase, double seconds, double done, double eventsPerSecond) {
    private static final String FIRST_WORD = "progress";
    private static final int WORDS = 5;

    String text() {
        return String.format(Locale.ROOT, "%s %s %.1f %.3f %.0f", FIRST_WORD, phase, seconds, done, eventsPerSecond);
    }

    /** Null if the line is something else: whatever a library prints. */
    static CellMoment parse(String line) {
        String[] words = line.split(" ");
        if (words.length != WORDS || !words[0].equals(FIRST_WORD)) {
            return null;
        }
        try {
            return new CellMoment(
                    words[1], Double.parseDouble(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4]));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
