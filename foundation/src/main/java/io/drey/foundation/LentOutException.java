package io.drey.foundation;

/** A slot has lent all that it lends to large values at the moment. Others give some of it back soon. */
public final class LentOutException extends DreyException {
    private static final long serialVersionUID = 1L;

    LentOutException(String message) {
        super(message);
    }
}
