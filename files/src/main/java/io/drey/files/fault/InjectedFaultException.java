package io.drey.files.fault;

import java.io.IOException;

/** A fault that a {@link FaultyDirectory} was told to make, so that tests tell it from real ones. */
public final class InjectedFaultException extends IOException {
    private static final long serialVersionUID = 1L;

    InjectedFaultException(String message) {
        super("injected fault: " + message);
    }
}
