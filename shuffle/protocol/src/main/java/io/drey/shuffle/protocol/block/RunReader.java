package io.drey.shuffle.protocol.block;

import io.drey.foundation.Memory;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.netty.buffer.ByteBuf;

/** Cuts the bodies of DATA frames, in parts of any length, into runs and blocks. Allocates nothing. */
public final class RunReader {
    private final RunSink sink;
    private final BlockReader blocks;
    private final byte[] header = new byte[RunHeader.HEADER_BYTES];
    private int gathered;
    private int left;

    public RunReader(RunSink sink) {
        this.sink = sink;
        this.blocks = new BlockReader(sink);
    }

    /** Whether the next byte begins a run: so it must be at the end of every frame. */
    public boolean isBetweenRuns() {
        return left == 0 && gathered == 0;
    }

    /** Takes the next {@code length} bytes of {@code in} and moves its reader index past them. */
    public void read(ByteBuf in, int length) {
        int todo = length;
        while (todo > 0) {
            if (left > 0) {
                int part = Math.min(left, todo);
                blocks.read(in, part);
                left -= part;
                todo -= part;
                if (left == 0) {
                    end();
                }
            } else {
                int part = Math.min(RunHeader.HEADER_BYTES - gathered, todo);
                in.readBytes(header, gathered, part);
                gathered += part;
                todo -= part;
                if (gathered == RunHeader.HEADER_BYTES) {
                    begin();
                }
            }
        }
    }

    private void begin() {
        gathered = 0;
        left = intAt(16);
        if (left < BlockFormat.HEADER_BYTES) {
            throw new ProtocolException("expected a run of at least a block, found " + left + " bytes");
        }
        sink.runBegins(intAt(0), intAt(4), intAt(8), intAt(12));
    }

    private void end() {
        if (!blocks.isBetweenBlocks()) {
            throw new ProtocolException("expected whole blocks in a run, found one that goes on after it");
        }
        sink.runEnds();
    }

    private int intAt(int at) {
        return Memory.getInt(header, at);
    }
}
