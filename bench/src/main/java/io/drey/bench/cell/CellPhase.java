package io.drey.bench.cell;

import java.util.Locale;

/** What a cell is doing. */
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
