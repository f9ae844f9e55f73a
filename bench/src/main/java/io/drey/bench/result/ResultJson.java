package io.drey.bench.result;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads and writes the records of this package as JSON, under the names of their components. */
public final class ResultJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private ResultJson() {}

    /** Writes a record. */
    public static void write(Path file, Object result) throws IOException {
        Files.writeString(file, MAPPER.writeValueAsString(result));
    }

    /**
     * Reads a record.
     *
     * @throws IOException if the file cannot be read, or is no such record; the message says which file and where in it
     */
    public static <T> T read(Path file, Class<T> type) throws IOException {
        try {
            return MAPPER.readValue(Files.readString(file), type);
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is not a " + type.getSimpleName() + " as this version writes it: "
                            + e.getOriginalMessage(),
                    e);
        }
    }
}
