package io.drey.shuffle.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.block.BlockChecksum;
import io.drey.shuffle.protocol.block.BlockDigest;
import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.block.RunHeader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whoever has the address of a worker, and has not proved that it knows the secret, is neither believed nor told. */
final class ImpostorTest {
    private static final PartitionKey KEY = new PartitionKey("job", "exchange", 0, 1);
    private static final UnpooledByteBufAllocator HEAP = UnpooledByteBufAllocator.DEFAULT;
    private static final ClientOptions OPTIONS = new ClientOptions(List.of(), "secret", 1, Duration.ofMinutes(2));

    /** What happened, in its order. */
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    /** Says something once it is greeted, and notes what it is told until it is hung up on. */
    private void impostor(ServerSocket listening, ByteBuf says) {
        Thread impostor = new Thread(() -> {
            try (Socket socket = listening.accept()) {
                InputStream in = socket.getInputStream();
                in.readNBytes(FrameHeader.BYTES);
                says.readBytes(socket.getOutputStream(), says.readableBytes());
                events.add("hung up after " + new String(in.readAllBytes(), ISO_8859_1));
            } catch (SocketException e) {
                events.add("hung up: " + e.getMessage());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        impostor.setDaemon(true);
        impostor.start();
    }

    /** Of the first stream of a connection, all that there is to read. */
    private static ByteBuf forged() {
        byte[] payload = "forged".getBytes(UTF_8);
        int checksum = new BlockChecksum()
                .begin(KEY.seed(), payload.length, 0, 0)
                .update(payload, 0, payload.length)
                .value();
        ByteBuf out = Unpooled.buffer();
        out.writeBytes(FrameHeader.frame(
                HEAP, FrameType.READ_OPENED, 0, 1, 1, 1, new Fetching.Holders(List.of(), new int[0])));
        int run = BlockFormat.HEADER_BYTES + payload.length;
        FrameHeader.put(out, FrameType.DATA, 0, 0, 1, 0, RunHeader.HEADER_BYTES + run);
        RunHeader.put(out, 1, 0, 0, 1, run);
        out.writeIntLE(payload.length)
                .writeIntLE(0)
                .writeIntLE(0)
                .writeIntLE(checksum)
                .writeBytes(payload);
        return out.writeBytes(FrameHeader.frame(
                HEAP,
                FrameType.READ_END,
                FrameType.COMPLETE,
                1,
                1,
                BlockDigest.of(checksum, 0),
                new Fetching.ReadEnd(1)));
    }

    private static Candidate at(ServerSocket listening) {
        return new Candidate(new UUID(1, 2), "127.0.0.1", listening.getLocalPort());
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @Test
    void isNotBelieved() throws Exception {
        try (ServerSocket listening = listening();
                ShuffleClient client = ShuffleClient.open(OPTIONS)) {
            impostor(listening, forged());
            Gathering gathering = new Gathering(10);
            gathering.start(client.read(KEY, List.of(at(listening)), 0, 0, 10, gathering));
            assertThat(events.poll(1, TimeUnit.MINUTES)).startsWith("hung up");
            assertThat(gathering.isOver()).as("something was read").isFalse();
        }
    }

    @Test
    void isNotTold() throws Exception {
        try (ServerSocket listening = listening();
                ShuffleClient client = ShuffleClient.open(OPTIONS)) {
            impostor(listening, FrameHeader.bare(HEAP, FrameType.OPENED, 0, 1, 0, 1 << 20));
            WriteStream writer = client.write(KEY, List.of(at(listening)), 1, cause -> {});
            Region.Builder region = new Region.Builder(false);
            region.block(0, 0, ByteBuffer.wrap("confidential".getBytes(UTF_8)));
            writer.write(region);
            assertThat(events.poll(1, TimeUnit.MINUTES)).startsWith("hung up").doesNotContain("confidential");
            writer.close();
        }
    }
}
