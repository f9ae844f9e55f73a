package io.drey.cli.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** How quantities are read and JSON is written. */
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
