package io.drey.bench.cell;

/** A cell cannot go on, for a reason that its result tells in a sentence. */
final class CellException extends Exception {
    private static final long serialVersionUID = 1L;

    CellException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
