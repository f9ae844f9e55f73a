package io.drey.cli.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** How quantities are shown and read. */
class QuantityTest {
    @Test
    void bytes() {
        assertThat(Quantity.bytes(0)).isEqualTo("0 B");
        assertThat(Quantity.bytes(1023)).isEqualTo("1023 B");
        assertThat(Quantity.bytes(1024)).isEqualTo("1.0 KB");
        assertThat(Quantity.bytes(12_900_000)).isEqualTo("12.3 MB");
        assertThat(Quantity.bytes(128L << 20)).isEqualTo("128 MB");
        assertThat(Quantity.bytes(Long.MAX_VALUE)).isEqualTo("8192 PB");
    }

    @Test
    void counts() {
        assertThat(Quantity.count(1_234_567)).isEqualTo("1,234,567");
        assertThat(Quantity.shortCount(9_999)).isEqualTo("9999");
        assertThat(Quantity.shortCount(152_400)).isEqualTo("152k");
        assertThat(Quantity.shortCount(1_550_000)).isEqualTo("1.6M");
    }

    @Test
    void durations() {
        assertThat(Quantity.duration(Duration.ofMillis(999))).isEqualTo("999 ms");
        assertThat(Quantity.duration(Duration.ofMillis(1_250))).isEqualTo("1.3 s");
        assertThat(Quantity.duration(Duration.ofSeconds(123))).isEqualTo("2 min 03 s");
    }

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
        for (String wrong : List.of("", "10", "s", "-1s", "1h")) {
            assertThatThrownBy(() -> converter.convert(wrong)).isInstanceOf(TypeConversionException.class);
        }
    }

    @Test
    void json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "a \"b\" \\ \n \u0001");
        map.put("number", 1.5);
        map.put("nothing", null);
        map.put("list", List.of(1, true, Map.of()));
        map.put("empty", List.of());

        assertThat(Json.of(map)).isEqualTo("""
                        {
                          "text": "a \\"b\\" \\\\ \\n \\u0001",
                          "number": 1.5,
                          "nothing": null,
                          "list": [
                            1,
                            true,
                            {}
                          ],
                          "empty": []
                        }
                        """);
        assertThatThrownBy(() -> Json.of(new Object())).hasMessageContaining("No JSON");
    }
}
