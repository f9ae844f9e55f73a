package io.drey.shuffle.protocol.frame;

/** A message that is fields: the body of a control frame, or nested in one. */
public interface Body {
    void write(FieldWriter out);
}
