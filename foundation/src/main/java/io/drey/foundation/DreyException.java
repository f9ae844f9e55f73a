package io.drey.foundation;

/**
 * An error that fails the task that sees it. Its message says what went wrong, where, what was expected and found, and
 * what to do; the task that sees it fails.
 */
public class DreyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DreyException(String message) {
        super(message);
    }

    public DreyException(String message, Throwable cause) {
        super(message, cause);
    }
}
