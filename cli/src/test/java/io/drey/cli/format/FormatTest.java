package io.drey.cli.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** Quantities as people write them. */
class FormatTest {
    @Test
    void sizesAreRead() {
        BytesConverter converter = new BytesConverter();
        assertThat(converter.convert("512k")).isEqualTo(512 << 10);
        assertThat(converter.convert("16MB")).isEqualTo(16 << 20);
        assertThat(converter.convert("1 g")).isEqualTo(1 << 30);
        for (String wrong : List.of("", "16", "m", "-1m", "1.5g", "1000000000000g")) {
            assertThatThrownBy(() -> converter.convert(wrong))
                    .isInstanceOf(TypeConversionException.class)
                    .hasMessageContaining("found '" + wrong + "'");
        }
    }

    @Test
    void durationsAreRead() {
        DurationConverter converter = new DurationConverter();
        assertThat(converter.convert("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(converter.convert("10s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(converter.convert("5min")).isEqualTo(Duration.ofMinutes(5));
        assertThat(converter.convert("1h")).isEqualTo(Duration.ofHours(1));
        for (String wrong : List.of("", "10", "s", "-1s", "1d")) {
            assertThatThrownBy(() -> converter.convert(wrong)).isInstanceOf(TypeConversionException.class);
        }
    }
}
