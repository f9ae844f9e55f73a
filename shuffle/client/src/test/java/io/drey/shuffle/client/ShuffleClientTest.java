package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Partitions through workers that refuse, split, cut and forget. */
@Timeout(60)
final class ShuffleClientTest {
    private static final int SUBPARTITIONS = 5;
    private static final int DATA = 0;
    private static final int EVENT = 2;

    private final SplittableRandom random = new SplittableRandom(7);
    private final List<List<String>> written = new ArrayList<>();
    private final AtomicInteger regionsDone = new AtomicInteger();
    private TwinWorker one;
    private TwinWorker two;
    private ShuffleClient client;
    private PartitionKey key;
    private int regions;

    @BeforeEach
    void open() throws InterruptedException {
        one = new TwinWorker();
        two = new TwinWorker();
        one.others.add(two);
        two.others.add(one);
        client = client(Duration.ofSeconds(20), null);
        key = new PartitionKey("job", "exchange", 3, 77);
        for (int i = 0; i < SUBPARTITIONS; i++) {
            written.add(new ArrayList<>());
        }
    }

    private ShuffleClient client(Duration wait, String secret) {
        return ShuffleClient.open(new ClientOptions(List.of(one.address()), secret, 1, wait));
    }

    @AfterEach
    void close() {
        client.close();
        one.close();
        two.close();
    }

    private List<Candidate> candidates() {
        return List.of(one.candidate(), two.candidate());
    }

    private WriteStream writer() {
        return client.write(key, candidates(), SUBPARTITIONS, failure -> {});
    }

    /** Blocks of random sizes for random subpartitions, in rotated order. */
    private Region.Builder region() {
        Region.Builder region = new Region.Builder(false);
        for (int i = 0; i < SUBPARTITIONS; i++) {
            int subpartition = (i + 2) % SUBPARTITIONS;
            int count = random.nextInt(4);
            for (int j = 0; j < count; j++) {
                byte[] payload = new byte[1 + random.nextInt(5000)];
                random.nextBytes(payload);
                ByteBuffer direct = ByteBuffer.allocateDirect(payload.length);
                direct.put(payload).flip();
                int cut = payload.length / 3;
                region.block(subpartition, DATA, direct.slice(0, cut), direct.slice(cut, payload.length - cut));
                written.get(subpartition).add(Gathering.text(payload));
            }
        }
        return counted(region);
    }

    private Region.Builder counted(Region.Builder region) {
        regions++;
        region.onDone(regionsDone::incrementAndGet);
        return region;
    }

    private Region.Builder broadcast(int flags, int length) {
        byte[] payload = new byte[length];
        random.nextBytes(payload);
        Region.Builder region = new Region.Builder(true);
        region.block(0, flags, ByteBuffer.wrap(payload));
        written.forEach(each -> each.add(Gathering.text(payload)));
        return counted(region);
    }

    private Gathering read(int from, int to) {
        return read(client, from, to);
    }

    private Gathering read(ShuffleClient reading, int from, int to) {
        return read(reading, from, to, 3);
    }

    private Gathering read(ShuffleClient reading, int from, int to, int buffers) {
        Gathering gathering = new Gathering(buffers);
        ReadStream stream = reading.read(key, candidates(), from, to, gathering.firstCredit(), gathering);
        gathering.start(stream);
        return gathering;
    }

    private void expectAll() throws Exception {
        for (int i = 0; i < SUBPARTITIONS; i++) {
            assertThat(read(i, i).await()).isEqualTo(written.get(i));
        }
    }

    private void write(int count) throws Exception {
        WriteStream writer = writer();
        for (int i = 0; i < count; i++) {
            writer.write(region());
        }
        writer.finish(9, new long[] {1, 2, 3, 4, 5});
        assertThat(regionsDone.get()).isEqualTo(regions);
    }

    /** Else they would keep the classes of the first job of a session cluster for as long as the process lives. */
    @Test
    void threadsInheritNothingOfTheTaskThatFirstUsesThem() throws Exception {
        ClassLoader ofJob = new URLClassLoader(new URL[0], getClass().getClassLoader());
        FutureTask<Void> task = new FutureTask<>(() -> {
            write(1);
            expectAll();
            return null;
        });
        Thread thread = new Thread(task);
        thread.setContextClassLoader(ofJob);
        thread.start();
        task.get();
        List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("drey-shuffle-"))
                .toList();
        assertThat(threads)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.getContextClassLoader()).isNotSameAs(ofJob));
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        WriteStream writer = writer();
        writer.write(region());
        writer.write(broadcast(EVENT, 12));
        writer.writeAndWait(region());
        writer.finish(9, new long[SUBPARTITIONS]);
        expectAll();
        assertThat(read(0, 0).attributes()).isEqualTo(9);
    }

    @Test
    void aRangeIsReadRegionByRegion() throws Exception {
        write(6);
        List<String> expected = new ArrayList<>(written.get(1));
        expected.addAll(written.get(2));
        assertThat(read(1, 2).await()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void anEmptyPartitionIsReadToItsEnd() throws Exception {
        writer().finish(5, new long[SUBPARTITIONS]);
        Gathering gathering = read(0, 4);
        assertThat(gathering.await()).isEmpty();
        assertThat(gathering.attributes()).isEqualTo(5);
    }

    @Test
    void littleCreditIsEnough() throws Exception {
        one.credit = 100;
        write(5);
        assertThat(one.overdrafts).isZero();
        expectAll();
    }

    @Test
    void aRefusedWriterGoesOnWithTheNextWorker() throws Exception {
        one.refusals.add(new Fault(Fault.Reason.FULL, "full"));
        write(5);
        assertThat(two.acks).isEqualTo(5);
        expectAll();
    }

    @Test
    void allWorkersBusyAreAskedAgain() throws Exception {
        for (int i = 0; i < 3; i++) {
            one.refusals.add(new Fault(Fault.Reason.BUSY, "busy"));
            two.refusals.add(new Fault(Fault.Reason.BUSY, "busy"));
        }
        write(2);
        // Each refused, and the one that took it has been asked until it did.
        one.run(() -> assertThat(one.refusals).hasSizeLessThan(3));
        two.run(() -> assertThat(two.refusals).hasSizeLessThan(3));
        assertThat(Math.min(one.refusals.size(), two.refusals.size())).isZero();
        expectAll();
    }

    @Test
    void splitsSpreadRegionsAndReadersFollow() throws Exception {
        one.splitEvery = 2;
        two.splitEvery = 1;
        WriteStream writer = writer();
        for (int i = 0; i < 9; i++) {
            writer.writeAndWait(region());
        }
        writer.finish(9, new long[SUBPARTITIONS]);
        assertThat(one.acks).isPositive();
        assertThat(two.acks).isPositive();
        expectAll();
    }

    @Test
    void regionsThatWereNotAcknowledgedAreSentAgain() throws Exception {
        one.cutsAtRegion.add(1);
        two.cutsAtRegion.add(2);
        write(8);
        expectAll();
        assertThat(client.counts().regionsResent()).isPositive();
    }

    @Test
    void aCutReaderGoesOnWhereItWas() throws Exception {
        write(8);
        one.run(() -> one.cutsAfterBlock.addAll(List.of(2, 3, 11)));
        expectAll();
        assertThat(client.counts().reconnects()).isPositive();
    }

    @Test
    void readersWaitForAWorkerThatRestarts() throws Exception {
        write(8);
        one.stop();
        Gathering gathering = read(0, 0);
        Thread.sleep(300);
        assertThat(gathering.isOver()).isFalse();
        one.restart();
        assertThat(gathering.await()).isEqualTo(written.get(0));
    }

    /** One by one they would wake its threads, and those of the worker, for each block: a block is a turn of its loop. */
    @Test
    void aReaderGivesCreditBackByHalvesOfWhatItHas() throws Exception {
        int buffers = 8;
        int blocks = 24;
        Region.Builder region = new Region.Builder(false);
        for (int i = 0; i < blocks; i++) {
            byte[] payload = new byte[1_000_000];
            random.nextBytes(payload);
            region.block(0, DATA, ByteBuffer.wrap(payload));
            written.get(0).add(Gathering.text(payload));
        }
        WriteStream writer = writer();
        writer.write(counted(region));
        writer.finish(9, new long[SUBPARTITIONS]);
        assertThat(read(client, 0, 0, buffers).await()).isEqualTo(written.get(0));
        one.run(() -> assertThat(one.readCredits).isPositive().isLessThanOrEqualTo(blocks / (buffers / 2)));
    }

    /** The limit is a second here: it counts from the cut, not from what was last heard. */
    @Test
    void aQuietReaderWaitsForItsWorkerToo() throws Exception {
        write(8);
        try (ShuffleClient impatient = client(Duration.ofSeconds(1), null)) {
            Gathering gathering = Gathering.stingy(2);
            gathering.start(impatient.read(key, candidates(), 0, 0, 2, gathering));
            gathering.awaitBlocks(2);
            Thread.sleep(1200);
            one.stop();
            Thread.sleep(200);
            one.restart();
            gathering.give(100);
            assertThat(gathering.await()).isEqualTo(written.get(0));
        }
    }

    @Test
    void aQuietWriterWaitsForItsWorkersToo() throws Exception {
        try (ShuffleClient impatient = client(Duration.ofSeconds(1), null)) {
            WriteStream writer = impatient.write(key, candidates(), SUBPARTITIONS, failure -> {});
            writer.writeAndWait(region());
            Thread.sleep(1200);
            one.stop();
            two.stop();
            writer.write(region());
            Thread.sleep(200);
            one.restart();
            two.restart();
            writer.finish(9, new long[SUBPARTITIONS]);
        }
        expectAll();
    }

    @Test
    void aBlockThatTheNetworkChangedIsAskedForAgain() throws Exception {
        write(4);
        one.run(() -> one.damagedBlocks.add(1));
        expectAll();
        one.run(() -> assertThat(one.damagedBlocks).isEmpty());
    }

    @Test
    void aBlockWhoseSubpartitionTheNetworkChangedIsAskedForAgain() throws Exception {
        WriteStream writer = writer();
        Region.Builder region = new Region.Builder(false);
        for (int i = 0; i < 3; i++) {
            region.block(0, DATA, ByteBuffer.allocateDirect(10));
            written.get(0).add(Gathering.text(new byte[10]));
        }
        writer.write(counted(region));
        writer.finish(9, new long[SUBPARTITIONS]);
        one.run(() -> one.strayBlocks.add(1));
        expectAll();
        one.run(() -> assertThat(one.strayBlocks).isEmpty());
    }

    @Test
    void aBlockThatIsDamagedTwiceIsALoss() throws Exception {
        write(4);
        one.run(() -> one.damagedBlocks.addAll(List.of(1, 2, 3, 4, 5, 6)));
        assertThat(read(0, 4).awaitLoss()).contains("checksum", "second time");
    }

    @Test
    void aPartitionThatNoCandidateHasIsALoss() throws Exception {
        assertThat(read(0, 0).awaitLoss()).contains("no candidate has it");
    }

    @Test
    void aWorkerThatLostItsStorageIsALoss() throws Exception {
        write(8);
        Gathering gathering = Gathering.stingy(2);
        gathering.start(client.read(key, candidates(), 0, 4, gathering.firstCredit(), gathering));
        gathering.awaitBlocks(2);
        one.stop();
        one.incarnation = UUID.randomUUID();
        one.partitions.clear();
        one.restart();
        assertThat(gathering.awaitLoss()).contains("lost its storage");
    }

    @Test
    void aWorkerThatIsAwayForGoodIsALossAfterTheLimit() throws Exception {
        write(2);
        try (ShuffleClient impatient = client(Duration.ofSeconds(1), null)) {
            one.stop();
            assertThat(read(impatient, 0, 0).awaitLoss()).contains("no registry vouches");
        }
    }

    @Test
    void aWriterFailsWhenNoWorkerComes() {
        one.stop();
        two.stop();
        try (ShuffleClient impatient = client(Duration.ofSeconds(1), null)) {
            WriteStream writer = impatient.write(key, candidates(), SUBPARTITIONS, failure -> {});
            assertThatThrownBy(() -> {
                        writer.write(region());
                        writer.finish(0, new long[SUBPARTITIONS]);
                    })
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("no worker took data");
        }
        assertThat(regionsDone.get()).isEqualTo(regions);
    }

    @Test
    void aWriterFailsWhenAHolderLostItsRegions() throws Exception {
        WriteStream writer = writer();
        writer.writeAndWait(region());
        one.run(() -> one.partitions.clear());
        assertThatThrownBy(() -> writer.finish(0, new long[SUBPARTITIONS]))
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("no region 0");
    }

    private String tooManyRegions(boolean takesTurns) {
        one.stop();
        two.stop();
        WriteStream writer = writer();
        ByteBuffer memory = ByteBuffer.allocateDirect(1);
        return assertThatThrownBy(() -> {
                    for (int i = 0; i <= PartitionManifest.REGIONS_MAX; i++) {
                        Region.Builder region = new Region.Builder(takesTurns && i % 2 == 1);
                        region.block(0, DATA, memory);
                        writer.write(region);
                    }
                    writer.finish(0, new long[SUBPARTITIONS]);
                })
                .isInstanceOf(IOException.class)
                .actual()
                .getCause()
                .getMessage();
    }

    @Test
    void aPartitionOfTooManyRegionsSaysIfTheyEndedWithTurnsToBlocksForAll() {
        assertThat(tooManyRegions(true))
                .contains("at most 65536 regions", "65536 of them begin where", "events between records less often");
    }

    @Test
    void aPartitionOfTooManySmallRegionsSaysThatMoreMemoryHelps() {
        assertThat(tooManyRegions(false))
                .contains("at most 65536 regions", "found more; 0 of them begin where", "more network memory");
    }

    @Test
    void aHolderThatIsAwayIsToldOfTheCommitLater() throws Exception {
        WriteStream writer = writer();
        one.splitEvery = 1;
        writer.writeAndWait(region());
        writer.writeAndWait(region());
        assertThat(two.acks).isEqualTo(1);
        one.stop();
        writer.finish(0, new long[SUBPARTITIONS]);
        Gathering gathering = new Gathering(3);
        List<Candidate> reversed = List.of(two.candidate(), one.candidate());
        gathering.start(client.read(key, reversed, 1, 1, 3, gathering));
        one.restart();
        assertThat(gathering.await()).isEqualTo(written.get(1));
    }

    /** It has nothing of the job yet, so nobody asks where it is. */
    @Test
    void aWorkerThatHasMovedIsRenewedWhereItIsNow() throws Exception {
        ClientOptions options = new ClientOptions(List.of(one.address()), null, 1, Duration.ofSeconds(20));
        try (ShuffleControl control = ShuffleControl.open(options)) {
            JobLease lease = control.lease("job", Told.losses(gone -> {}));
            lease.keep(key, candidates());
            awaitRenewed(lease);
            two.move();
            two.run(two.renewed::clear);
            awaitRenewed(lease);
        }
    }

    private void awaitRenewed(JobLease lease) throws Exception {
        AtomicBoolean isRenewed = new AtomicBoolean();
        while (!isRenewed.get()) {
            lease.commits(List.of(), Duration.ofMillis(200)).get();
            two.run(() -> isRenewed.set(two.renewed.contains("job")));
        }
    }

    @Test
    void aClosedWriterGivesItsMemoryBack() throws Exception {
        one.stop();
        two.stop();
        WriteStream writer = writer();
        writer.write(region());
        writer.close();
        assertThatThrownBy(() -> writer.finish(0, new long[SUBPARTITIONS])).isInstanceOf(IOException.class);
        assertThat(regionsDone.get()).isEqualTo(regions);
    }

    @Test
    void anInterruptEndsTheWaitForACommit() throws Exception {
        one.stop();
        two.stop();
        WriteStream writer = writer();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> writer.finish(0, new long[SUBPARTITIONS])).isInstanceOf(InterruptedException.class);
    }

    @Test
    void aClosedStreamIsToldSo() throws Exception {
        write(4);
        Gathering gathering = new Gathering(0);
        ReadStream stream = client.read(key, candidates(), 0, 4, 0, gathering);
        gathering.start(stream);
        stream.close();
        gathering.awaitClose();
    }

    @Test
    void aSecretMustBeTheSame() throws Exception {
        try (TwinWorker secured = new TwinWorker("tell nobody");
                ShuffleClient knowing = client(Duration.ofSeconds(5), "tell nobody");
                ShuffleClient guessing = client(Duration.ofSeconds(1), "guess")) {
            List<Candidate> only = List.of(secured.candidate());
            knowing.write(key, only, 1, failure -> {}).finish(0, new long[1]);
            WriteStream refused = guessing.write(key, only, 1, failure -> {});
            assertThatThrownBy(() -> refused.finish(0, new long[1])).hasStackTraceContaining("knows the secret");
        }
    }
}
