package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OverdraftTest {
    @Test
    void whatCannotBeAllocatedIsNotCounted() {
        Overdraft overdraft = new Overdraft(100);
        // No system has so few bytes, as none has too many.
        assertThatThrownBy(() -> overdraft.borrow(-8)).isInstanceOf(IllegalArgumentException.class);
        assertThat(overdraft.bytes()).isZero();
    }

    @Test
    void moreThanTheLimitIsRefusedWithASentence() {
        Overdraft overdraft = new Overdraft(100);
        long address = overdraft.borrow(60);
        assertThatThrownBy(() -> overdraft.borrow(41))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining("at most 100 bytes");
        assertThat(overdraft.bytes()).isEqualTo(60);
        overdraft.repay(address, 60);
        assertThat(overdraft.bytes()).isZero();
    }

    @Test
    void whoCanWaitGetsWhatOthersGiveBack() throws Exception {
        Overdraft overdraft = new Overdraft(100);
        long address = overdraft.borrow(60);
        AtomicLong taken = new AtomicLong();
        Thread waiting = new Thread(() -> taken.set(overdraft.waiting().borrow(41)));
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        overdraft.repay(address, 60);
        waiting.join();
        assertThat(overdraft.bytes()).isEqualTo(41);
        overdraft.repay(taken.get(), 41);
    }

    @Test
    void nobodyWaitsForMoreThanThereIsNorForEver() {
        Overdraft overdraft = new Overdraft(100);
        assertThatThrownBy(() -> overdraft.waiting().borrow(101)).isInstanceOf(LentOutException.class);
        long address = overdraft.borrow(60);
        assertThatThrownBy(() -> overdraft.waiting(1_000_000).borrow(41)).isInstanceOf(LentOutException.class);
        overdraft.repay(address, 60);
        assertThat(overdraft.bytes()).isZero();
    }

    @Test
    void nobodyWaitsForWhatIsItsOwn() {
        Overdraft waiting = new Overdraft(100).waiting();
        long address = waiting.borrow(60);
        // Whoever waits notices that.
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiting.borrow(41)).isInstanceOf(LentOutException.class);
        assertThat(Thread.interrupted()).isTrue();
        waiting.repay(address, 60);
        assertThat(waiting.bytes()).isZero();
    }

    @Test
    void whoWaitsCanBeInterrupted() {
        Overdraft overdraft = new Overdraft(100);
        long address = overdraft.borrow(60);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> overdraft.waiting().borrow(41)).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        overdraft.repay(address, 60);
        assertThat(overdraft.bytes()).isZero();
    }
}
