package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Settings that no store can have. */
class StoreSettingsTest {
    @Test
    void moreKeyGroupsThanKeysCanSayAreRefused() {
        assertThat(settings(0xffff).keyGroupTo()).isEqualTo(0xffff);
        assertThatThrownBy(() -> settings(0x10000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected key groups in 0..65535, found 0..65536");
    }

    private static StoreSettings settings(int keyGroupTo) {
        return new StoreSettings(0, keyGroupTo, 4096, 4096, 1 << 20, 4096, StoreSettings.YOUNG_RUNS_MAX);
    }
}
