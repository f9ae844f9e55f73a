package io.drey.flink.state.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.runtime.tasks.StreamTaskActionExecutor;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorImpl;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailboxImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One thread at a time has the right to use a store, and the task's does not lock while it is the only one. */
class TaskThreadTest {
    private final MockEnvironment environment = new MockEnvironmentBuilder().build();
    private TaskMailboxImpl mailbox;
    private TaskThread task;

    @BeforeEach
    void begin() {
        mailbox = new TaskMailboxImpl(Thread.currentThread());
        environment.setMainMailboxExecutor(new MailboxExecutorImpl(mailbox, 0, StreamTaskActionExecutor.IMMEDIATE));
        task = TaskThread.current(environment);
    }

    @AfterEach
    void end() throws Exception {
        environment.close();
    }

    private Thread other(Runnable run) {
        Thread other = new Thread(run);
        other.start();
        return other;
    }

    private static void awaitWaiting(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
    }

    @Test
    void whoComesFirstWaitsForWhatTheTasksThreadIsIn() throws InterruptedException {
        AtomicBoolean isIn = new AtomicBoolean();
        task.enter();
        task.enter();
        Thread operation = other(() -> {
            task.enter();
            isIn.set(true);
            task.leave();
        });
        Thread call = other(() -> task.alone(() -> {
            isIn.set(true);
            return null;
        }));
        operation.join(200);
        task.leave();
        call.join(200);
        assertThat(isIn).isFalse();
        // What belongs together goes on meanwhile.
        task.enter();
        task.leave();
        assertThat(isIn).isFalse();
        task.leave();
        operation.join();
        call.join();
        assertThat(isIn).isTrue();
    }

    @Test
    void whatBelongsTogetherIsNotPartedWhenAnotherThreadComesMeanwhile() throws InterruptedException {
        AtomicBoolean isIn = new AtomicBoolean();
        Thread other = task.alone(() -> {
            task.enter();
            Thread coming = other(() -> {
                task.enter();
                isIn.set(true);
                task.leave();
            });
            awaitWaiting(coming);
            task.leave();
            task.enter();
            task.leave();
            assertThat(isIn).isFalse();
            return coming;
        });
        other.join();
        assertThat(isIn).isTrue();
        task.enter();
        task.leave();
    }

    @Test
    void aMailWaitsForTheThreadThatUsesTheStoreAndLetsOthersPass() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicBoolean ran = new AtomicBoolean();
        Thread other = other(() -> {
            task.enter();
            entered.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            task.leave();
        });
        entered.await();
        CompletableFuture.runAsync(() -> task.request(() -> ran.set(true), "a request"))
                .get();
        mailbox.take(0).run();
        assertThat(ran).isFalse();
        leave.countDown();
        other.join();
        mailbox.take(0).run();
        assertThat(ran).isTrue();
    }

    @Test
    void noOtherThreadUsesTheStoreWhenItIsFreed() throws Exception {
        task.end(() -> {});
        assertThatThrownBy(() -> CompletableFuture.runAsync(task::enter).get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("expected keyed state to be used before its task ends");
        assertThat(task.lock().tryLock()).isTrue();
        task.lock().unlock();
    }
}
