package io.drey.flink.state.list;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The bytes of a list in the store: each element followed by a delimiter, so that appending needs no read. The
 * canonical format has delimiters between elements only, and is the same bytes without the last one:
 *
 * <pre>
 *  +-----------+---+-----------+---+
 *  | element   | , | element   | , |   ...
 *  +-----------+---+-----------+---+
 * </pre>
 */
public final class ListLayout {
    static final byte DELIMITER = ',';

    private ListLayout() {}

    static <T> void writeElement(T element, TypeSerializer<T> serializer, DataOutputSerializer out) throws IOException {
        Objects.requireNonNull(element, "You cannot add null to a ListState.");
        serializer.serialize(element, out);
        out.write(DELIMITER);
    }

    static <T> void writeAll(List<T> elements, TypeSerializer<T> serializer, DataOutputSerializer out)
            throws IOException {
        for (T element : elements) {
            writeElement(element, serializer, out);
        }
    }

    static <T> List<T> readAll(DataInputDeserializer in, TypeSerializer<T> serializer) throws IOException {
        List<T> elements = new ArrayList<>();
        while (in.available() > 0) {
            elements.add(readElement(in, serializer));
        }
        return elements;
    }

    static <T> T readElement(DataInputDeserializer in, TypeSerializer<T> serializer) throws IOException {
        T element = serializer.deserialize(in);
        byte delimiter = in.readByte();
        if (delimiter != DELIMITER) {
            throw noDelimiter(delimiter, serializer);
        }
        return element;
    }

    static IOException noDelimiter(byte found, TypeSerializer<?> serializer) {
        return new IOException("expected a delimiter after a list element, found byte " + found
                + ": the element was read by " + serializer + ", which did not write it");
    }

    /** A stored list in the canonical format. */
    public static byte[] toCanonical(byte[] stored, int length) {
        return Arrays.copyOf(stored, length - 1);
    }

    /** A canonical list as it is stored. */
    public static byte[] fromCanonical(byte[] canonical) {
        byte[] stored = Arrays.copyOf(canonical, canonical.length + 1);
        stored[canonical.length] = DELIMITER;
        return stored;
    }
}
