package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;

/**
 * A task: a backend in a thread of its own with a mailbox, random operations on all its states, checkpoints uploaded by
 * other threads meanwhile, some of which are aborted, and failures after which it goes on from the last checkpoint.
 */
final class StressTask {
    private static final int OVERLAPPING_MAX = 2;
    private static final int OPERATIONS_PER_CHECKPOINT = (int) Effort.of(2_000, 8_000, 20_000);
    private static final int OPERATIONS_PER_MILLISECOND = 50;
    private static final int MAIL_EVERY = 16;
    private static final long END_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

    /** A checkpoint under way. */
    private record UnderWay(
            long id, RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot, Future<?> run, StressModel model) {}

    private final SplittableRandom random;
    private final BackendFixture fixture;
    private final DreyStateBackend factory;
    private final Path storage;
    private final ExecutorService uploads;
    private final TestSummary summary;
    private final AtomicLong now = new AtomicLong(1_000_000);
    private final SharedStateRegistry registry = new SharedStateRegistryImpl();
    private final Deque<UnderWay> underWay = new ArrayDeque<>();
    private TaskMailboxImpl mailbox;
    private AbstractKeyedStateBackend<String> backend;
    private StressModel model = new StressModel();
    private StressStates states;
    private KeyedStateHandle retained;
    private StressModel retainedModel = new StressModel();
    private long lastId;

    StressTask(
            long seed,
            BackendFixture fixture,
            DreyStateBackend factory,
            Path storage,
            ExecutorService uploads,
            TestSummary summary)
            throws IOException {
        random = new SplittableRandom(seed);
        this.fixture = fixture;
        this.factory = factory;
        this.storage = storage;
        this.uploads = uploads;
        this.summary = summary;
        fixture.time(now::get);
        fixture.storage(storage);
    }

    /** Runs in the thread that is to own the backend. */
    void run(long operations) throws Exception {
        mailbox = new TaskMailboxImpl(Thread.currentThread());
        fixture.environment.setMainMailboxExecutor(
                new MailboxExecutorImpl(mailbox, 0, StreamTaskActionExecutor.IMMEDIATE));
        open();
        for (long i = 1; i <= operations; i++) {
            states.operate();
            if (i % MAIL_EVERY == 0) {
                readMail();
            }
            if (random.nextInt(OPERATIONS_PER_MILLISECOND) == 0) {
                now.incrementAndGet();
            }
            if (random.nextInt(OPERATIONS_PER_CHECKPOINT) == 0) {
                begin();
            }
            if (!underWay.isEmpty() && underWay.peek().run().isDone()) {
                end(underWay.poll());
            }
            if (random.nextInt(20 * OPERATIONS_PER_CHECKPOINT) == 0) {
                fail();
            }
        }
        summary.add("operations", operations);
        states.checkAll();
        states.checkTimers();
        leave();
    }

    private void readMail() throws Exception {
        for (Optional<Mail> mail = mailbox.tryTake(0); mail.isPresent(); mail = mailbox.tryTake(0)) {
            mail.get().run();
        }
    }

    private void open() throws Exception {
        backend = fixture.open(factory, StringSerializer.INSTANCE, retained == null ? List.of() : List.of(retained));
        model = retainedModel.copy();
        states = new StressStates(backend, model, random, now::get);
    }

    private void begin() throws Exception {
        if (underWay.size() == OVERLAPPING_MAX) {
            return;
        }
        long id = ++lastId;
        RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot =
                backend.snapshot(id, id, fixture.streams(), CheckpointOptions.forCheckpointWithDefaultLocation());
        underWay.add(new UnderWay(id, snapshot, uploads.submit(snapshot), model.copy()));
    }

    private void end(UnderWay checkpoint) throws Exception {
        checkpoint.run().get();
        KeyedStateHandle handle = acknowledged(checkpoint);
        if (random.nextInt(5) == 0) {
            handle.discardState();
            backend.notifyCheckpointAborted(checkpoint.id());
            summary.add("aborted checkpoints", 1);
            return;
        }
        registry.checkpointCompleted(checkpoint.id());
        registry.unregisterUnusedState(checkpoint.id());
        if (retained != null) {
            retained.discardState();
        }
        retained = handle;
        retainedModel = checkpoint.model();
        backend.notifyCheckpointComplete(checkpoint.id());
        summary.add("checkpoints", 1);
    }

    /** The job manager registers what it hears of, also if the checkpoint is aborted later. */
    private KeyedStateHandle acknowledged(UnderWay checkpoint) throws Exception {
        KeyedStateHandle handle = checkpoint.snapshot().get().getJobManagerOwnedSnapshot();
        handle.registerSharedStates(registry, checkpoint.id());
        return handle;
    }

    /** What is under way, at least one checkpoint, is given up: half of it before its upload has ended. */
    private void fail() throws Exception {
        begin();
        abandon();
        close();
        open();
        states.checkAll();
        summary.add("restores", 1);
    }

    private void abandon() throws Exception {
        while (!underWay.isEmpty()) {
            UnderWay checkpoint = underWay.poll();
            if (random.nextBoolean() && checkpoint.snapshot().cancel(true)) {
                checkpoint.run().get();
                summary.add("cancelled uploads", 1);
            } else {
                checkpoint.run().get();
                acknowledged(checkpoint).discardState();
            }
        }
    }

    private void close() throws IOException {
        backend.close();
        backend.dispose();
    }

    /** Also of what has just begun: half of it is cancelled while its files are written. */
    private void leave() throws Exception {
        begin();
        abandon();
        registry.unregisterUnusedState(Long.MAX_VALUE);
        if (retained != null) {
            retained.discardState();
        }
        close();
        // Nobody waits for a cancelled upload: it deletes what it wrote when it comes to it.
        long end = System.nanoTime() + END_NANOS_MAX;
        while (!files().isEmpty() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(files()).as("files that nothing refers to").isEmpty();
    }

    /** Names only: a file may be deleted meanwhile. */
    private List<String> files() {
        return Stream.of("own", "shared")
                .flatMap(each -> Arrays.stream(storage.resolve(each).toFile().list()))
                .toList();
    }
}
