package io.drey.cli.terminal;

/** A command failed; the message is one sentence for the user. */
public final class CommandException extends Exception {
    private static final long serialVersionUID = 1L;

    public CommandException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
