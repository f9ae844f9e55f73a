package io.drey.shuffle.protocol.request;

import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.netty.buffer.Unpooled;

/** The answer to a request. */
public final class Answer {
    private final FrameType type;
    private final int flags;
    private final byte[] body;

    Answer(FrameType type, int flags, byte[] body) {
        this.type = type;
        this.flags = flags;
        this.body = body;
    }

    public FrameType type() {
        return type;
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    public FieldReader fields() {
        return new FieldReader(type.name(), Unpooled.wrappedBuffer(body));
    }
}
