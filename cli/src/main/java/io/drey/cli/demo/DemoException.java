package io.drey.cli.demo;

/** A run failed; the message is one sentence for the user. */
public final class DemoException extends Exception {
    private static final long serialVersionUID = 1L;

    public DemoException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
