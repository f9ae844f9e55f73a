package io.drey.cli.inspect.row;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.row.RowDecoder.Decoded;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * A choice of entries by what they say.
 *
 * @param key null for all keys
 * @param pattern looked for in key, namespace, map key and value; null for all
 */
public record RowFilter(String key, Pattern pattern) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    /** The key group of the key, if its type is one of which that is known without reading; else -1. */
    public int keyGroup(StateInfo state, int maxParallelism) {
        Object object = key == null ? null : object(state.key());
        return object == null ? -1 : KeyGroupRangeAssignment.assignToKeyGroup(object, maxParallelism);
    }

    private Object object(TypeSerializer<?> serializer) {
        try {
            if (serializer instanceof StringSerializer) {
                return key;
            }
            if (serializer instanceof LongSerializer) {
                return Long.valueOf(key);
            }
            return serializer instanceof IntSerializer ? Integer.valueOf(key) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Takes decoded entries one by one. */
    @FunctionalInterface
    public interface DecodedVisitor {
        /** Takes the next entry; false if no more is wanted. */
        boolean visit(StateRow row, Decoded decoded) throws IOException;
    }

    /** A visitor that decodes the entries and passes on those that are chosen. */
    public RowVisitor passing(DecodedVisitor chosen) {
        RowDecoder decoder = new RowDecoder();
        String compact = compact(key);
        return row -> {
            if (key != null) {
                String found = decoder.key(row);
                if (!found.equals(key) && !found.equals(compact)) {
                    return true;
                }
            }
            Decoded decoded = decoder.decode(row);
            return !matches(decoded) || chosen.visit(row, decoded);
        };
    }

    /** A key of several parts without the blanks between them, as it is shown; any other text as it is. */
    private static String compact(String key) {
        try {
            return key == null || !key.strip().startsWith("[")
                    ? key
                    : JSON.writeValueAsString(JSON.readValue(key, List.class));
        } catch (JsonProcessingException e) {
            return key;
        }
    }

    private boolean matches(Decoded decoded) {
        return pattern == null
                || found(decoded.key())
                || found(decoded.namespace())
                || found(decoded.mapKey())
                || found(decoded.value());
    }

    private boolean found(Object part) {
        return part != null && pattern.matcher(part.toString()).find();
    }
}
