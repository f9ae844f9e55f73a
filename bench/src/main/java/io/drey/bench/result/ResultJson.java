package io.drey.bench.result;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Reads and writes the records of this package as JSON, under the names of their components; compressed in files {@code
 * *.gz}.
 */
public final class ResultJson {
    private static final String COMPRESSED = ".gz";
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private ResultJson() {}

    /** Writes a record. */
    public static void write(Path file, Object result) throws IOException {
        try (OutputStream stored = Files.newOutputStream(file);
                OutputStream out = file.toString().endsWith(COMPRESSED) ? new GZIPOutputStream(stored) : stored) {
            out.write(MAPPER.writeValueAsString(result).getBytes(UTF_8));
        }
    }

    /**
     * Reads a record.
     *
     * @throws IOException if the file cannot be read, or is no such record; the message says which file and where in it
     */
    public static <T> T read(Path file, Class<T> type) throws IOException {
        try (InputStream stored = Files.newInputStream(file);
                InputStream in = file.toString().endsWith(COMPRESSED) ? new GZIPInputStream(stored) : stored) {
            return MAPPER.readValue(in, type);
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is not a " + type.getSimpleName() + " as this version writes it: "
                            + e.getOriginalMessage(),
                    e);
        }
    }
}
