package io.drey.shuffle.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Every message comes back as it was, with fields of newer versions skipped, and broken ones are one kind of error. */
final class MessageTest {
    private static final UUID A = new UUID(1, -2);
    private static final UUID B = new UUID(-3, 4);
    private static final PartitionKey KEY = new PartitionKey("0af3", "e-1_x", 17, -5);
    private static final PartitionManifest MANIFEST =
            new PartitionManifest(List.of(A, B), new int[] {0, 0, 1}, new long[] {0, 127, 128, 1L << 40}, 200);
    private static final WorkerReport REPORT = new WorkerReport(
            A,
            B,
            "127.0.0.1",
            9470,
            0,
            "0.1",
            WorkerReport.State.DRAINING,
            new WorkerReport.Load(1, 2, 3, 4, 5, 6, 7, 8));

    private static Map<Body, Function<FieldReader, Body>> messages() {
        Map<Body, Function<FieldReader, Body>> all = new LinkedHashMap<>();
        all.put(KEY, PartitionKey::read);
        all.put(MANIFEST, PartitionManifest::read);
        all.put(new Fault(Fault.Reason.FENCED, "another one leads", 1L << 42, 30_000, true), Fault::read);
        all.put(new Greeting.Hello(1, 2, 3, new byte[16], "s"), Greeting.Hello::read);
        all.put(new Greeting.Welcome(1, 2, A, B, new byte[16], true, new byte[32], true), Greeting.Welcome::read);
        all.put(new Greeting.Auth(new byte[32]), Greeting.Auth::read);
        all.put(new Writing.Open(KEY, 4), Writing.Open::read);
        all.put(new Writing.Commit(KEY, MANIFEST), Writing.Commit::read);
        Fetching.Channel channel = new Fetching.Channel(KEY, 1, 2, 3, 4, 5, 6);
        all.put(new Fetching.OpenRead(List.of(channel, channel)), Fetching.OpenRead::read);
        all.put(new Fetching.Holders(List.of(A, B), new int[] {1, 0}), Fetching.Holders::read);
        all.put(new Fetching.ReadEnd(1L << 33), Fetching.ReadEnd::read);
        all.put(new Leasing.Renew("j", 5, 6, 7, 8), Leasing.Renew::read);
        List<Writing.Commit> commits = List.of(new Writing.Commit(KEY, MANIFEST));
        all.put(new Leasing.Lease(A, 9, true, commits, List.of(KEY, KEY)), Leasing.Lease::read);
        all.put(new Leasing.Release("0af3", 1, List.of(KEY)), Leasing.Release::read);
        all.put(REPORT, WorkerReport::read);
        all.put(new Membership.ListWorkers(List.of(A)), Membership.ListWorkers::read);
        Membership.Member member = new Membership.Member(REPORT, Membership.Health.LOST, 7, true, "why");
        all.put(new Membership.Workers(List.of(member)), Membership.Workers::read);
        all.put(new Membership.Exclude(A, true, "why"), Membership.Exclude::read);
        all.put(new Operating.Inspect("j"), Operating.Inspect::read);
        all.put(new Operating.Lines(List.of("a", "b")), Operating.Lines::read);
        return all;
    }

    private static ByteBuf encode(Body body) {
        ByteBuf out = Unpooled.buffer();
        body.write(new FieldWriter(out));
        return out;
    }

    @Test
    void messagesComeBackAsTheyWere() {
        messages().forEach((body, reader) -> {
            ByteBuf bytes = encode(body);
            Body back = reader.apply(new FieldReader("test", bytes));
            assertThat(back).usingRecursiveComparison().isEqualTo(body);
        });
    }

    @Test
    void fieldsOfNewerVersionsAreSkipped() {
        messages().forEach((body, reader) -> {
            ByteBuf bytes = Unpooled.buffer();
            FieldWriter out = new FieldWriter(bytes).number(99, 1);
            body.write(out);
            out.text(100, "later");
            assertThat(reader.apply(new FieldReader("test", bytes)))
                    .usingRecursiveComparison()
                    .isEqualTo(body);
        });
    }

    @Test
    void brokenMessagesAreOneKindOfError() {
        SplittableRandom random = new SplittableRandom(5);
        messages().forEach((body, reader) -> {
            for (int i = 0; i < 2000; i++) {
                ByteBuf bytes = encode(body);
                for (int flips = random.nextInt(4); flips >= 0 && bytes.isReadable(); flips--) {
                    bytes.setByte(random.nextInt(bytes.readableBytes()), random.nextInt());
                }
                bytes.writerIndex(
                        random.nextInt(3) == 0 ? random.nextInt(bytes.writerIndex() + 1) : bytes.writerIndex());
                assertThatCode(() -> {
                            try {
                                reader.apply(new FieldReader("test", bytes));
                            } catch (ProtocolException e) {
                                assertThat(e.getMessage()).isNotEmpty();
                            }
                        })
                        .doesNotThrowAnyException();
            }
        });
    }

    @Test
    void namesThatAreNotOneFileAreRefused() {
        for (String name : List.of("", ".", "..", "a/b", "a\\b", "a.b", "ä", "a\0", "x".repeat(65), "../x")) {
            assertThatThrownBy(() -> new PartitionKey(name, "e", 0, 0))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("letters");
            assertThatThrownBy(() -> new PartitionKey("j", name, 0, 0)).isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void anEmptyFileIsNoSecretAndNoClusterWithoutOne() throws IOException {
        assertThat(Handshake.secret("one\n".getBytes(UTF_8), "file")).isEqualTo("one");
        assertThatThrownBy(() -> Handshake.secret(" \n".getBytes(UTF_8), "/a/file"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/a/file, found an empty file");
    }

    @Test
    void onlyTheSameSecretLetsIn() {
        Handshake worker = new Handshake("one");
        Greeting.Hello hello = new Handshake("one").hello("test");
        Greeting.Welcome welcome = worker.welcome(hello, A, B, false);
        Greeting.Auth auth = new Handshake("one").answer(hello, welcome);
        worker.check(hello, welcome, auth);
        assertThatThrownBy(() -> new Handshake("two").answer(hello, welcome)).hasMessageContaining("another");
        assertThatThrownBy(() -> new Handshake(null).answer(hello, welcome)).hasMessageContaining("same secret");
        assertThatThrownBy(() -> worker.check(hello, welcome, new Greeting.Auth(welcome.proof())))
                .hasMessageContaining("client");
        Handshake open = new Handshake("");
        assertThat(open.answer(hello, open.welcome(hello, A, B, false))).isNull();
    }

    @Test
    void anotherVersionIsRefused() {
        Greeting.Hello hello = new Greeting.Hello(2, 3, 0, new byte[16], "newer");
        assertThatThrownBy(() -> new Handshake(null).welcome(hello, A, B, false))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("version");
        Greeting.Hello both = new Greeting.Hello(1, 3, 0, new byte[16], "newer");
        assertThat(new Handshake(null).welcome(both, A, B, false).version()).isOne();
    }

    @Test
    void seedsTellPartitionsApart() {
        assertThat(List.of(
                        KEY.seed(),
                        new PartitionKey("0af3", "e-1_x", 17, -4).seed(),
                        new PartitionKey("0af3", "e-1_x", 16, -5).seed(),
                        new PartitionKey("0af3", "e-1_y", 17, -5).seed(),
                        new PartitionKey("0af4", "e-1_x", 17, -5).seed()))
                .doesNotHaveDuplicates();
    }
}
