package io.drey.shuffle.protocol.request;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.message.Fault;

/** The other end refused a request. */
final class FaultException extends DreyException {
    private static final long serialVersionUID = 1L;

    FaultException(Fault fault) {
        super(fault.sentence());
    }
}
