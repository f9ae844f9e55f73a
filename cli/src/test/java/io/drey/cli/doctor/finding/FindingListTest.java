package io.drey.cli.doctor.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FindingListTest {
    private static final int WIDTH = 100;

    /** Flink names a task of SQL by all of its operators. */
    @Test
    void aLongNameOfATaskDoesNotMakeEveryLineLong() throws Exception {
        String name = "task IntervalJoin[8] -> " + "Calc[9] -> ".repeat(12) + "Sink: Writer";
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("job", "orders (7f), RUNNING");
        facts.put(name, "12,345 records/s in, busy 100 %, back pressured 12 %");
        facts.put("task Source", "back pressured 0 %");
        FindingList list = new FindingList(List.of(), facts);
        assertThat(list.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDTH));
        assertThat(list.lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("task IntervalJoin[8]")
                        .contains("…")
                        .contains("Sink: Writer  12,345 records/s"));
        int column = list.lines().get(1).indexOf("12,345");
        assertThat(list.lines().get(0).indexOf("orders")).isEqualTo(column);
        assertThat(list.lines().get(2).indexOf("back")).isEqualTo(column);
        assertThat(list.json()).contains(name);
    }
}
