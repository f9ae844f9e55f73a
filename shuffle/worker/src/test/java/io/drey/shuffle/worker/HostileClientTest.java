package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.fill;
import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.frame.FieldWriter;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Operating.Lines;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.worker.TestClient.Block;
import io.drey.shuffle.worker.TestClient.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that breaks the rules gets a sentence and a closed connection, and nobody else notices. */
final class HostileClientTest {
    private static final PartitionKey KEY = new PartitionKey("job", "exchange", 0, 1);

    @TempDir
    Path directory;

    @FunctionalInterface
    private interface Attack {
        void on(TestClient client) throws Exception;
    }

    /** The sentence that an attack is answered with. */
    private static String sentence(int port, Attack attack) throws Exception {
        try (TestClient client = new TestClient(port)) {
            attack.on(client);
            String sentence = "";
            for (Frame frame = client.next(); frame != null; frame = client.next()) {
                sentence = frame.type() == FrameType.ERROR
                        ? Fault.read(frame.fields()).sentence()
                        : sentence;
            }
            return sentence;
        } catch (IOException e) {
            return "reset: " + e.getMessage();
        }
    }

    private static void raw(TestClient client, FrameType type, byte[] body) throws IOException {
        ByteBuf out = Unpooled.buffer();
        FrameHeader.put(out, type, 0, 1, 0, 0, body.length);
        client.send(out.writeBytes(body));
    }

    private static byte[] fields(java.util.function.Consumer<FieldWriter> fields) {
        ByteBuf out = Unpooled.buffer();
        fields.accept(new FieldWriter(out));
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    @Test
    void eachBrokenRuleIsNamed() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory))) {
            int port = worker.port();
            List<Block> one = List.of(Block.of(0, "x"));
            assertThat(sentence(
                            port,
                            client -> raw(
                                    client,
                                    FrameType.OPEN,
                                    fields(out -> out.nested(
                                                    1,
                                                    key -> key.text(1, "../../etc")
                                                            .text(2, "x"))
                                            .number(2, 1)))))
                    .contains("letters, digits");
            assertThat(sentence(port, client -> raw(client, FrameType.OPEN, new byte[] {1, 0, 0, 0, 0x7f})))
                    .contains("at most 0 bytes");
            assertThat(sentence(port, client -> {
                        int stream = client.open(KEY, 2);
                        client.send(FrameType.END, 0, stream, 0, 0);
                    }))
                    .contains("the end of region");
            assertThat(sentence(port, client -> {
                        int stream = client.open(KEY, 2);
                        client.send(FrameType.BEGIN, 0, stream, 0, 0);
                        client.send(FrameType.BEGIN, 0, stream, 1, 0);
                    }))
                    .contains("not ended");
            assertThat(sentence(port, client -> {
                        int stream = client.open(KEY, 2);
                        client.write(stream, KEY, 0, 0, List.of(Block.of(2, "x")));
                    }))
                    .contains("a subpartition of 0 to 1");
            assertThat(sentence(port, client -> {
                        int stream = client.open(KEY, 3);
                        client.write(stream, KEY, 0, 0, List.of(Block.of(1, "x"), Block.of(0, "x"), Block.of(1, "x")));
                    }))
                    .contains("ordered by subpartition");
            assertThat(sentence(port, client -> {
                        int stream = client.open(KEY, 2);
                        client.write(stream, KEY, 0, 0, one);
                        client.send(FrameType.END, 0, stream, 0, 2);
                    }))
                    .contains("after 2");
            assertThat(sentence(port, client -> client.send(FrameType.DATA, 0, 0, 0, 0)))
                    .contains("DATA");
            assertThat(sentence(port, client -> client.send(FrameType.HELLO, 0, 0, 0, 0)))
                    .contains("HELLO");
        }
    }

    @Test
    void whoReadsNoAnswersIsGivenUpAndOthersAreServed() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient other = new TestClient(worker.port());
                TestClient deaf = new TestClient(worker.port())) {
            assertThatThrownBy(() -> {
                        ByteBuf many = Unpooled.buffer();
                        for (int i = 0; i < 1_000; i++) {
                            FrameHeader.put(many, FrameType.PING, 0, 0, 0, 0, 0);
                        }
                        for (int i = 0; i < 20_000; i++) {
                            deaf.send(many.retainedDuplicate());
                        }
                    })
                    .isInstanceOf(IOException.class);
            assertThat(other.open(KEY, 2)).isNotNegative();
        }
    }

    @Test
    void bytesBeyondTheCreditAreRefused() throws Exception {
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory))) {
            assertThat(sentence(worker.port(), client -> {
                        int stream = client.open(KEY, 2);
                        client.send(FrameType.BEGIN, 0, stream, 0, 0);
                        byte[] block = new byte[16 + (2 << 20)];
                        block[2] = 0x20;
                        try {
                            for (int i = 0; i < 1000; i++) {
                                ByteBuf out = Unpooled.buffer();
                                FrameHeader.put(out, FrameType.BLOCKS, 0, stream, 0, 0, block.length);
                                client.send(out.writeBytes(block));
                            }
                        } catch (IOException e) {
                            // It was closed: what it said is still there, or the connection was reset.
                            assertThat(e.getMessage()).isNotEmpty();
                        }
                    }))
                    .containsAnyOf("beyond the credit", "reset");
            assertThat(worker.report().load().poolUsedBytes()).isLessThanOrEqualTo(16L << 20);
        }
    }

    @Test
    void randomBytesDoNoHarmToOthers() throws Exception {
        SplittableRandom random = new SplittableRandom(6);
        try (ShuffleWorker worker = ShuffleWorker.open(options(directory));
                TestClient good = new TestClient(worker.port())) {
            List<List<Block>> written = fill(good, KEY, 3, 4, 1);
            for (int i = 0; i < 200; i++) {
                try (Socket socket = new Socket("127.0.0.1", worker.port())) {
                    byte[] bytes = new byte[random.nextInt(4000)];
                    random.nextBytes(bytes);
                    socket.getOutputStream().write(bytes);
                }
                int attack = i;
                sentence(worker.port(), client -> {
                    FrameType type = FrameType.values()[attack % FrameType.values().length];
                    byte[] bytes = new byte[Math.min(type.bodyBytesMax(), random.nextInt(300))];
                    random.nextBytes(bytes);
                    raw(client, type, bytes);
                    client.close();
                });
            }
            assertThat(good.read(KEY, 0, 3, 0, 0, 9).blocks).isEqualTo(WriteAndReadTest.expected(written, 0, 3));
            good.send(FrameType.AUDIT, 0, 99, 0, 0);
            assertThat(Lines.read(good.expect(FrameType.LINES).fields()).lines())
                    .isEmpty();
        }
        try (var files = Files.walk(directory)) {
            assertThat(files.filter(each -> each.toString().contains("job")))
                    .allMatch(each -> each.startsWith(directory.resolve("job")));
        }
    }

    /** As of head -c 32 /dev/urandom without base64. */
    @Test
    void aSecretThatIsNoTextIsRefusedWithTheNameOfItsFile() throws Exception {
        Path secret = Files.write(directory.resolve("secret"), new byte[] {'a', (byte) 0xff, 'b'});
        WorkerOptions options =
                options(directory.resolve("data")).with(WorkerOptions.Key.SECRET_FILE, secret.toString());
        assertThatThrownBy(() -> ShuffleWorker.open(options).close())
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(secret.toString(), "UTF-8", "base64");
    }

    @Test
    void withoutTheSecretNothingIsAnswered() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "sesame\n");
        WorkerOptions options =
                options(directory.resolve("data")).with(WorkerOptions.Key.SECRET_FILE, secret.toString());
        try (ShuffleWorker worker = ShuffleWorker.open(options)) {
            try (TestClient client = new TestClient(worker.port(), "sesame")) {
                fill(client, KEY, 1, 4, 1);
            }
            try (TestClient silent = new TestClient(new Socket("127.0.0.1", worker.port()))) {
                silent.send(FrameType.STATUS, 0, 1, 0, 0);
                assertThat(Fault.read(silent.receive().fields()).sentence()).contains("HELLO");
            }
            try (TestClient large = new TestClient(new Socket("127.0.0.1", worker.port()))) {
                ByteBuf header = Unpooled.buffer();
                FrameHeader.put(header, FrameType.OPEN, 0, 1, 0, 0, 1 << 20);
                large.send(header);
                assertThat(Fault.read(large.receive().fields()).sentence()).contains("a greeting");
            }
            try (TestClient wrong = new TestClient(new Socket("127.0.0.1", worker.port()))) {
                var handshake = new io.drey.shuffle.protocol.message.Handshake("other");
                wrong.send(FrameType.HELLO, 0, 0, 0, 0, handshake.hello("test"));
                assertThat(wrong.receive().type()).isEqualTo(FrameType.WELCOME);
                wrong.send(
                        FrameType.AUTH, 0, 0, 0, 0, new io.drey.shuffle.protocol.message.Greeting.Auth(new byte[32]));
                assertThat(Fault.read(wrong.receive().fields()).sentence()).contains("secret");
                assertThat(wrong.receive()).isNull();
            }
        }
    }
}
