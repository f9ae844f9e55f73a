package io.drey.shuffle.protocol.frame;

import io.drey.foundation.DreyException;

/** The other end sent what it must not send; the connection is closed after the sentence. */
public final class ProtocolException extends DreyException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        super(message);
    }
}
