package io.drey.shuffle.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Frames come out as they went in, however the bytes are cut; what is no frame ends the connection with a sentence. */
final class FrameReaderTest {
    private static final UnpooledByteBufAllocator MEMORY = UnpooledByteBufAllocator.DEFAULT;

    private static final class Recorder implements FrameSink {
        final List<String> seen = new ArrayList<>();
        final StringBuilder streamed = new StringBuilder();
        Throwable cause;
        int closed;

        @Override
        public void control(FrameHeader header, ByteBuf body) {
            FieldReader in = new FieldReader("test", body);
            StringBuilder text = new StringBuilder(header.toString());
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                text.append(' ').append(tag).append('=').append(in.text(1 << 20).length());
            }
            seen.add(text.toString());
        }

        @Override
        public void streamBegins(FrameHeader header) {
            streamed.setLength(0);
        }

        @Override
        public void streamPart(ByteBuf part, int length) {
            for (int i = 0; i < length; i++) {
                streamed.append((char) part.readByte());
            }
        }

        @Override
        public void streamEnds() {
            seen.add("streamed " + streamed);
        }

        @Override
        public void pause() {}

        @Override
        public void closed(Throwable thrown) {
            cause = thrown;
            closed++;
        }

        @Override
        public void writable(boolean isWritable) {}
    }

    private static ByteBuf frames() {
        ByteBuf all = Unpooled.buffer();
        ByteBuf[] frames = {
            FrameHeader.bare(MEMORY, FrameType.ACK, FrameType.SPLIT, 7, 8, -9),
            FrameHeader.frame(
                    MEMORY,
                    FrameType.OPEN,
                    0,
                    1,
                    2,
                    3,
                    out -> out.text(1, "x".repeat(3000)).text(2, "")),
            streamed("abc"),
            streamed(""),
            FrameHeader.frame(MEMORY, FrameType.FAILED, 0, 1, 2, 3, out -> out.text(9, "y")),
            FrameHeader.bare(MEMORY, FrameType.PING, 0, 0, 0, Long.MAX_VALUE),
        };
        for (ByteBuf frame : frames) {
            all.writeBytes(frame);
            frame.release();
        }
        return all;
    }

    private static ByteBuf streamed(String text) {
        ByteBuf out = Unpooled.buffer();
        FrameHeader.put(out, FrameType.BLOCKS, 0, 5, 0, 0, text.length());
        for (int i = 0; i < text.length(); i++) {
            out.writeByte(text.charAt(i));
        }
        return out;
    }

    private static final String[] EXPECTED = {
        "ACK of stream 7, count 8, value -9, flags 1, 0 bytes",
        "OPEN of stream 1, count 2, value 3, flags 0, 3010 bytes 1=3000 2=0",
        "streamed abc",
        "streamed ",
        "FAILED of stream 1, count 2, value 3, flags 0, 6 bytes 9=1",
        "PING of stream 0, count 0, value 9223372036854775807, flags 0, 0 bytes",
    };

    @Test
    void framesComeOutAsTheyWentInHoweverTheyAreCut() {
        ByteBuf all = frames();
        SplittableRandom random = new SplittableRandom(1);
        for (int most = 1; most <= all.readableBytes(); most = most * 2 + 1) {
            Recorder recorder = new Recorder();
            EmbeddedChannel channel = new EmbeddedChannel(new FrameReader(recorder));
            for (int at = 0; at < all.readableBytes(); ) {
                int length = Math.min(1 + random.nextInt(most), all.readableBytes() - at);
                channel.writeInbound(all.copy(at, length));
                at += length;
            }
            assertThat(recorder.seen).containsExactly(EXPECTED);
            channel.close();
            channel.finishAndReleaseAll();
            assertThat(recorder.closed).isOne();
            assertThat(recorder.cause).isNull();
        }
        all.release();
    }

    private static String refusal(ByteBuf bytes) {
        Recorder recorder = new Recorder();
        EmbeddedChannel channel = new EmbeddedChannel(new FrameReader(recorder));
        channel.writeInbound(bytes);
        assertThat(recorder.closed).isOne();
        assertThat(channel.isOpen()).isFalse();
        assertThat(recorder.cause).isInstanceOf(ProtocolException.class);
        return recorder.cause.getMessage();
    }

    @Test
    void whatIsNoFrameIsRefusedByItsHeader() {
        assertThat(refusal(Unpooled.copiedBuffer(new byte[100]))).contains("magic");
        ByteBuf unknown = FrameHeader.bare(MEMORY, FrameType.PING, 0, 0, 0, 0).setByte(4, 200);
        assertThat(refusal(unknown)).contains("code 200");
        ByteBuf huge = FrameHeader.bare(MEMORY, FrameType.OPEN, 0, 0, 0, 0).setIntLE(0, -1);
        assertThat(refusal(huge)).contains("4294967295");
        ByteBuf large = FrameHeader.bare(MEMORY, FrameType.PING, 0, 0, 0, 0).setIntLE(0, 1);
        assertThat(refusal(large)).contains("at most 0 bytes in a frame PING");
    }

    @Test
    void nothingIsTakenAfterAnError() {
        Recorder recorder = new Recorder();
        EmbeddedChannel channel = new EmbeddedChannel(new FrameReader(recorder));
        ByteBuf bytes = FrameHeader.bare(MEMORY, FrameType.OPEN, 0, 0, 0, 0).setIntLE(0, -1);
        channel.writeInbound(Unpooled.wrappedBuffer(bytes, FrameHeader.bare(MEMORY, FrameType.PING, 0, 0, 0, 0)));
        assertThat(recorder.seen).isEmpty();
    }
}
