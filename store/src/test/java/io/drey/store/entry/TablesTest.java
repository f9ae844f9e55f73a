package io.drey.store.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import org.junit.jupiter.api.Test;

/** The numbers of tables run out. */
class TablesTest {
    @Test
    void oneStateTooManyIsRefusedByItsName() {
        Tables tables = new Tables();
        for (int i = 0; i < Tables.NAMES_MAX; i++) {
            assertThat(tables.numberOf("state-" + i, TableKind.VALUE)).isEqualTo(i);
        }
        assertThatThrownBy(() -> tables.numberOf("one-more", TableKind.VALUE))
                .isInstanceOf(DreyException.class)
                .hasMessage("expected at most 32767 states in an operator, found one more: one-more");
        assertThat(tables.numberOf("state-7", TableKind.VALUE)).isEqualTo(7);
    }
}
