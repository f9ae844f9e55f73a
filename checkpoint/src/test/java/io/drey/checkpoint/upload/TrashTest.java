package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TrashTest {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final List<String> deleted = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final Set<String> stubborn = new HashSet<>();
    private int tries;
    private final Trash<String> trash = trash(tasks::add);

    private Trash<String> trash(Executor executor) {
        return new Trash<>(executor, this::delete, (thing, cause) -> left.add(thing + " " + cause));
    }

    private void delete(String thing) throws IOException {
        tries++;
        if (stubborn.contains(thing)) {
            throw new IOException("busy");
        }
        deleted.add(thing);
    }

    /** A class that is not there any more, say: its job's loader is closed. */
    @Test
    void anErrorOfOneDeletionDoesNotStopTheOthers() {
        List<String> done = new ArrayList<>();
        Trash<String> broken = new Trash<>(
                tasks::add,
                thing -> {
                    if (thing.equals("a")) {
                        throw new NoClassDefFoundError(thing);
                    }
                    done.add(thing);
                },
                (thing, cause) -> left.add(thing + " " + cause.getClass().getSimpleName()));
        broken.accept("a");
        runAll();
        broken.accept("b");
        broken.accept("c");
        runAll();
        broken.close();
        runAll();
        assertThat(done).containsExactly("b", "c");
        assertThat(left).containsExactly("a NoClassDefFoundError");
        assertThat(broken.size()).isZero();
    }

    @Test
    void anErrorOfWhoeverIsToldStopsNothingThatComesLater() {
        List<String> done = new ArrayList<>();
        Trash<String> full = new Trash<>(
                tasks::add,
                thing -> {
                    if (thing.equals("a")) {
                        throw new IOException("busy");
                    }
                    done.add(thing);
                },
                (thing, cause) -> {
                    throw new OutOfMemoryError("no room for the message");
                });
        full.close();
        full.accept("a");
        assertThatThrownBy(this::runAll).isInstanceOf(OutOfMemoryError.class);
        full.accept("b");
        runAll();
        assertThat(done).containsExactly("b");
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    @Test
    void deletesInTheThreadsOfTheExecutorOneTaskAtATime() {
        trash.accept("a");
        trash.accept("b");
        assertThat(deleted).isEmpty();
        assertThat(tasks).hasSize(1);
        runAll();
        assertThat(deleted).containsExactly("a", "b");
        assertThat(trash.size()).isZero();
    }

    @Test
    void whatFailsIsTriedAgainWithTheNext() {
        stubborn.add("a");
        trash.accept("a");
        runAll();
        assertThat(trash.size()).isOne();
        stubborn.clear();
        trash.accept("b");
        runAll();
        assertThat(deleted).containsExactlyInAnyOrder("a", "b");
        assertThat(left).isEmpty();
    }

    @Test
    void afterThreeTriesItIsToldOf() {
        stubborn.add("a");
        trash.accept("a");
        runAll();
        trash.accept("b");
        runAll();
        assertThat(left).isEmpty();
        trash.accept("c");
        runAll();
        assertThat(left).containsExactly("a java.io.IOException: busy");
        assertThat(tries).isEqualTo(5);
        assertThat(trash.size()).isZero();
    }

    @Test
    void theEndTriesOnceMoreWhatHasFailed() {
        stubborn.add("a");
        trash.accept("a");
        runAll();
        trash.close();
        runAll();
        assertThat(left).hasSize(1);
        trash.accept("b");
        runAll();
        assertThat(deleted).containsExactly("b");
    }

    @Test
    void moreThanItHoldsStays() {
        for (int i = 0; i < 10_001; i++) {
            trash.accept("t" + i);
        }
        assertThat(left).containsExactly("t10000 null");
        assertThat(trash.size()).isEqualTo(10_000);
        runAll();
        assertThat(deleted).hasSize(10_000);
    }

    @Test
    void withoutAThreadItIsDeletedWithTheNext() {
        AtomicBoolean none = new AtomicBoolean(true);
        Trash<String> waits = trash(task -> {
            if (none.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        });
        waits.accept("a");
        assertThat(deleted).isEmpty();
        waits.accept("b");
        assertThat(deleted).containsExactly("a", "b");
    }

    @Test
    void anExecutorThatIsShutDownLeavesItToTheCaller() {
        Trash<String> last = trash(task -> {
            throw new RejectedExecutionException();
        });
        last.accept("a");
        assertThat(deleted).containsExactly("a");
    }
}
