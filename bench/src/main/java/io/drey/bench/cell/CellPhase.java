package io.drey.bench.cell;

/** What a cell is doing. */
public enum CellPhase {
    START("start"),
    FILL("fill"),
    RESTORE("restore"),
    WARM_UP("warm-up"),
    MEASURE("measure"),
    STOP("stop");

    private final String text;

    CellPhase(String text) {
        this.text = text;
    }

    /** As lines of progress and people name it. */
    public String text() {
        return text;
    }
}
