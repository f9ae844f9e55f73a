package io.drey.cli.inspect.row;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.row.RowDecoder.Decoded;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Entries as lines of an export. */
public enum RowLines {
    CSV {
        @Override
        public List<String> header() {
            return List.of("operator,subtask,state,keyGroup,key,namespace,mapKey,value");
        }

        @Override
        public String line(String operator, int subtask, StateRow row, Decoded decoded) {
            return Stream.of(
                            operator,
                            subtask,
                            row.state().name(),
                            row.keyGroup(),
                            decoded.key(),
                            decoded.namespace(),
                            decoded.mapKey(),
                            decoded.value())
                    .map(RowLines::cell)
                    .collect(Collectors.joining(","));
        }
    },
    JSONL {
        @Override
        public List<String> header() {
            return List.of();
        }

        @Override
        public String line(String operator, int subtask, StateRow row, Decoded decoded) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("operator", operator);
            line.put("subtask", subtask);
            line.put("state", row.state().name());
            line.put("keyGroup", row.keyGroup());
            line.put("key", decoded.key());
            line.put("namespace", decoded.namespace());
            line.put("mapKey", decoded.mapKey());
            line.put("value", decoded.value());
            line.values().removeIf(java.util.Objects::isNull);
            return json(line);
        }
    };

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Lines before the first entry. */
    public abstract List<String> header();

    public abstract String line(String operator, int subtask, StateRow row, Decoded decoded);

    private static String cell(Object value) {
        String text = value == null ? "" : value instanceof String string ? string : json(value);
        boolean isPlain = text.chars().noneMatch(each -> each == ',' || each == '"' || each == '\n' || each == '\r');
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("expected texts, numbers, lists and maps, found " + value, e);
        }
    }
}
