package io.drey.bench.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Quantities as people read them. */
class QuantityTest {
    @Test
    void counts() {
        assertThat(Quantity.count(1_234_567)).isEqualTo("1,234,567");
        assertThat(Quantity.counted(1, "row", "rows")).isEqualTo("1 row");
        assertThat(Quantity.counted(2_000, "row", "rows")).isEqualTo("2,000 rows");
        assertThat(Quantity.shortCount(9_999)).isEqualTo("9999");
        assertThat(Quantity.shortCount(152_400)).isEqualTo("152k");
        assertThat(Quantity.shortCount(1_550_000)).isEqualTo("1.6M");
    }

    @Test
    void threeSignificantDigits() {
        assertThat(Quantity.number(0)).isEqualTo("0");
        assertThat(Quantity.number(0.000012345)).isEqualTo("1.23e-05");
        assertThat(Quantity.number(0.01234)).isEqualTo("0.0123");
        assertThat(Quantity.number(1.2)).isEqualTo("1.20");
        assertThat(Quantity.number(0.9996)).isEqualTo("1.00");
        assertThat(Quantity.number(9.999)).isEqualTo("10.0");
        assertThat(Quantity.number(99.96)).isEqualTo("100");
        assertThat(Quantity.number(123.4)).isEqualTo("123");
        assertThat(Quantity.number(12_345)).isEqualTo("12,300");
        assertThat(Quantity.number(1_000_000)).isEqualTo("1,000,000");
        assertThat(Quantity.number(-1.234)).isEqualTo("-1.23");
    }

    @Test
    void sizes() {
        assertThat(Quantity.size(0)).isEqualTo("0 B");
        assertThat(Quantity.size(0.352)).isEqualTo("0.352 B");
        assertThat(Quantity.size(999)).isEqualTo("999 B");
        assertThat(Quantity.size(1023)).isEqualTo("0.999 KB");
        assertThat(Quantity.size(12_900_000)).isEqualTo("12.3 MB");
        assertThat(Quantity.size(128L << 20)).isEqualTo("128 MB");
        assertThat(Quantity.size(Long.MAX_VALUE)).isEqualTo("8,190 PB");
    }

    @Test
    void millis() {
        assertThat(Quantity.millis(4.21)).isEqualTo("4.21 ms");
        assertThat(Quantity.millis(12_340)).isEqualTo("12.3 s");
        assertThat(Quantity.millis(300_000)).isEqualTo("5.00 min");
    }
}
