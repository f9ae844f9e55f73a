package io.drey.shuffle.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.frame.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Runs and blocks come out as they were put in, however the bytes are cut. */
final class RunReaderTest {
    private static final class Recorder implements RunSink {
        final StringBuilder seen = new StringBuilder();

        @Override
        public void runBegins(int channel, int region, int firstBlock, int blocks) {
            seen.append("run ").append(channel).append(' ').append(region).append(' ');
            seen.append(firstBlock).append(' ').append(blocks).append(':');
        }

        @Override
        public void blockBegins(int payloadLength, int subpartition, int flags, int checksum) {
            seen.append('[')
                    .append(payloadLength)
                    .append(' ')
                    .append(subpartition)
                    .append(' ');
            seen.append(flags).append(' ').append(checksum).append(' ');
        }

        @Override
        public void blockPart(ByteBuf part, int length) {
            for (int i = 0; i < length; i++) {
                seen.append((char) part.getByte(part.readerIndex() + i));
            }
        }

        @Override
        public void blockEnds() {
            seen.append(']');
        }

        @Override
        public void runEnds() {
            seen.append(';');
        }
    }

    private static void block(ByteBuf out, int subpartition, String payload) {
        out.writeIntLE(payload.length()).writeIntLE(subpartition).writeIntLE(3).writeIntLE(-4);
        for (int i = 0; i < payload.length(); i++) {
            out.writeByte(payload.charAt(i));
        }
    }

    @Test
    void runsComeOutAsTheyWentInHoweverTheyAreCut() {
        ByteBuf all = Unpooled.buffer();
        RunHeader.put(all, 1, 2, 3, 2, 16 + 5 + 16);
        block(all, 7, "hello");
        block(all, 8, "");
        RunHeader.put(all, 4, 5, 6, 1, 16 + 2);
        block(all, 9, "ab");
        SplittableRandom random = new SplittableRandom(2);
        for (int most = 1; most <= all.readableBytes(); most++) {
            Recorder recorder = new Recorder();
            RunReader reader = new RunReader(recorder);
            ByteBuf in = all.duplicate();
            while (in.isReadable()) {
                reader.read(in, Math.min(1 + random.nextInt(most), in.readableBytes()));
            }
            assertThat(reader.isBetweenRuns()).isTrue();
            assertThat(recorder.seen).hasToString("run 1 2 3 2:[5 7 3 -4 hello][0 8 3 -4 ];run 4 5 6 1:[2 9 3 -4 ab];");
        }
    }

    @Test
    void brokenRunsAreRefused() {
        ByteBuf cut = Unpooled.buffer();
        RunHeader.put(cut, 1, 2, 3, 1, 18);
        block(cut, 7, "hello");
        assertThatThrownBy(() -> new RunReader(new Recorder()).read(cut, cut.readableBytes()))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("whole blocks");
        ByteBuf huge = Unpooled.buffer();
        huge.writeIntLE(-1).writeZero(12);
        assertThatThrownBy(() -> new BlockReader(new Recorder()).read(huge, 16)).hasMessageContaining("4294967295");
        ByteBuf high = Unpooled.buffer();
        high.writeIntLE(0).writeIntLE(1 << 16).writeZero(8);
        assertThatThrownBy(() -> new BlockReader(new Recorder()).read(high, 16)).hasMessageContaining("subpartition");
    }

    @Test
    void checksumsAndDigestsDependOnAllTheyCover() {
        BlockChecksum checksum = new BlockChecksum();
        int one = checksum.begin(1, 2, 3, 4).update(new byte[] {5, 6}, 0, 2).value();
        assertThat(checksum.begin(1, 2, 3, 4)
                        .update(ByteBuffer.wrap(new byte[] {5, 6}))
                        .value())
                .isEqualTo(one);
        assertThat(checksum.begin(1L << 32 | 1, 2, 3, 4)
                        .update(new byte[] {5, 6}, 0, 2)
                        .value())
                .isNotEqualTo(one);
        assertThat(checksum.begin(1, 2, 4, 4).update(new byte[] {5, 6}, 0, 2).value())
                .isNotEqualTo(one);
        assertThat(checksum.begin(1, 2, 3, 0).update(new byte[] {5, 6}, 0, 2).value())
                .isNotEqualTo(one);
        assertThat(checksum.begin(1, 2, 3, 4).update(new byte[] {6, 5}, 0, 2).value())
                .isNotEqualTo(one);
        assertThat(BlockDigest.of(1, 0) + BlockDigest.of(2, 1))
                .isNotEqualTo(BlockDigest.of(2, 0) + BlockDigest.of(1, 1));
    }
}
