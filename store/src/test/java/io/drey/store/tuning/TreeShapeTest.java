package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TreeShapeTest {
    private static final long MB = 1 << 20;

    @Test
    void youngRunsMayHaveMoreWhereStateIsManyFlushes() {
        assertThat(TreeShape.of(10, 10 * MB, 100 * MB).majorPercent()).isEqualTo(25);
        assertThat(TreeShape.of(10, 10 * MB, 255 * MB).reason()).isEqualTo(TreeShape.Reason.FEW_FLUSHES);
        assertThat(TreeShape.of(10, 10 * MB, 256 * MB)).isEqualTo(new TreeShape(33, TreeShape.Reason.MANY_FLUSHES));
        assertThat(TreeShape.of(1_000_000, 1_000_000 * MB, 1L << 40).majorPercent())
                .isEqualTo(33);
    }

    @Test
    void beforeTheFirstFlushNothingIsKnown() {
        assertThat(TreeShape.of(0, 0, 1L << 40).reason()).isEqualTo(TreeShape.Reason.FEW_FLUSHES);
    }
}
