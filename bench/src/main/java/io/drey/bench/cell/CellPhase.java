package io.drey.bench.cell;

import java.util.Locale;

/** The parts of a cell's life. */
enum CellPhase {
    START,
    FILL,
    RESTORE,
    WARM_UP,
    MEASURE,
    STOP;

    /** As lines of progress and people name it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
