package io.drey.flink.state.restore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataInputStreamWrapper;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;

/** What is read ahead is what lies there, wherever the reader goes. */
class ReadAheadSavepointTest {
    private static final int BYTES = 300_000;

    private final byte[] all = new byte[BYTES];
    private int reads;

    ReadAheadSavepointTest() {
        new Random(1).nextBytes(all);
    }

    private FSDataInputStream open() throws IOException {
        ByteStreamStateHandle file = new ByteStreamStateHandle("part", all) {
            private static final long serialVersionUID = 1L;

            @Override
            public FSDataInputStream openInputStream() throws IOException {
                return new FSDataInputStreamWrapper(super.openInputStream()) {
                    @Override
                    public int read() throws IOException {
                        reads++;
                        return super.read();
                    }

                    @Override
                    public int read(byte[] bytes, int offset, int length) throws IOException {
                        reads++;
                        return super.read(bytes, offset, length);
                    }
                };
            }
        };
        KeyGroupRangeOffsets offsets = new KeyGroupRangeOffsets(new KeyGroupRange(0, 0));
        return new ReadAheadSavepoint(new KeyGroupsSavepointStateHandle(offsets, file)).openInputStream();
    }

    @Test
    void bytesAreThoseOfThePlaceGoneTo() throws Exception {
        Random random = new Random(2);
        try (FSDataInputStream in = open()) {
            int at = 0;
            for (int i = 0; i < 20_000; i++) {
                if (random.nextInt(100) == 0) {
                    at = random.nextInt(BYTES);
                    in.seek(at);
                } else if (random.nextBoolean()) {
                    assertThat(in.read()).isEqualTo(at < BYTES ? all[at] & 0xFF : -1);
                    at = Math.min(BYTES, at + 1);
                } else {
                    byte[] read = new byte[random.nextInt(2_000)];
                    int count = in.readNBytes(read, 0, read.length);
                    assertThat(Arrays.copyOf(read, count)).isEqualTo(Arrays.copyOfRange(all, at, at + count));
                    assertThat(count).isEqualTo(Math.min(read.length, BYTES - at));
                    at += count;
                }
                assertThat(in.getPos()).isEqualTo(at);
            }
        }
    }

    /** Of a file each read was a call of the system, ten for each row: most of the time of a restore. */
    @Test
    void whoReadsByteByByteAsksTheFileForLargeParts() throws Exception {
        try (FSDataInputStream in = open()) {
            for (byte each : all) {
                assertThat((byte) in.read()).isEqualTo(each);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(reads).isBetween(1, 10);
    }
}
