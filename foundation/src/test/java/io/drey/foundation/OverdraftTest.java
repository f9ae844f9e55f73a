package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
