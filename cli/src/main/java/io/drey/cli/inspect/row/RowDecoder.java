package io.drey.cli.inspect.row;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.ListDelimitedSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;

/**
 * Reads the bytes of entries with the serializers of their states. What cannot be read, because classes are missing or
 * the bytes are others (and may ask for more memory than there is), stays bytes, written as hexadecimal digits after
 * {@code 0x}. One thread.
 */
public final class RowDecoder {
    /** The last access of a value that carries none. */
    public static final long NO_ACCESS = Long.MIN_VALUE;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final DataInputDeserializer in = new DataInputDeserializer();
    private final ValueTree values = new ValueTree();

    /** An entry as objects that JSON knows. */
    public record Decoded(Object key, Object namespace, Object mapKey, Object value) {}

    public Decoded decode(StateRow row) {
        StateInfo state = row.state();
        if (state.form() == StateForm.TIMERS) {
            return timer(row);
        }
        Object namespace = row.namespace().length == 0 ? null : read(row.namespace(), state.namespace());
        return new Decoded(
                key(row.key(), state.key()),
                "".equals(namespace) ? null : namespace,
                row.mapKey() == null ? null : mapKey(row),
                value(row));
    }

    /** The key alone, as text; one of several parts as JSON, as it is shown. */
    public String key(StateRow row) {
        Object key = row.state().form() == StateForm.TIMERS
                ? timer(row).key()
                : key(row.key(), row.state().key());
        try {
            return key instanceof Map || key instanceof List ? JSON.writeValueAsString(key) : String.valueOf(key);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object key(byte[] bytes, TypeSerializer<?> serializer) {
        return alone(read(bytes, serializer), serializer);
    }

    /** A key of SQL is a row also if it has one field, which stands for it. */
    private static Object alone(Object key, TypeSerializer<?> serializer) {
        return serializer instanceof RowDataSerializer
                        && key instanceof List<?> fields
                        && fields.size() == 1
                        && fields.get(0) != null
                ? fields.get(0)
                : key;
    }

    private Decoded timer(StateRow row) {
        Object timer = object(row.key(), row.state().value());
        if (timer instanceof TimerHeapInternalTimer<?, ?> known
                && row.state().value() instanceof TimerSerializer<?, ?> parts) {
            Object namespace = values.of(known.getNamespace(), parts.getNamespaceSerializer());
            return new Decoded(
                    alone(values.of(known.getKey(), parts.getKeySerializer()), parts.getKeySerializer()),
                    "".equals(namespace) ? null : namespace,
                    null,
                    "fires at " + known.getTimestamp());
        }
        return new Decoded(hex(row.key()), null, null, null);
    }

    private Object mapKey(StateRow row) {
        return row.state().value() instanceof MapSerializer<?, ?> map
                ? read(row.mapKey(), map.getKeySerializer())
                : hex(row.mapKey());
    }

    private Object value(StateRow row) {
        TypeSerializer<?> serializer = row.state().value();
        byte[] bytes = row.value();
        if (row.state().form() == StateForm.MAP && serializer instanceof MapSerializer<?, ?> map) {
            if (bytes.length == 0 || bytes[0] != 0) {
                return null;
            }
            byte[] value = new byte[bytes.length - 1];
            System.arraycopy(bytes, 1, value, 0, value.length);
            return read(value, map.getValueSerializer());
        }
        if (row.state().form() == StateForm.LIST && serializer instanceof ListSerializer<?> list) {
            return elements(bytes, list.getElementSerializer());
        }
        return read(bytes, serializer);
    }

    private Object elements(byte[] bytes, TypeSerializer<?> serializer) {
        try {
            in.setBuffer(bytes);
            List<Object> elements = new ArrayList<>();
            Object element;
            while ((element = ListDelimitedSerializer.deserializeNextElement(in, serializer)) != null) {
                elements.add(values.of(element, serializer));
            }
            return elements;
        } catch (IOException | RuntimeException | LinkageError | VirtualMachineError e) {
            return hex(bytes);
        }
    }

    private Object read(byte[] bytes, TypeSerializer<?> serializer) {
        Object object = object(bytes, serializer);
        try {
            return object == bytes ? hex(bytes) : values.of(object, serializer);
        } catch (RuntimeException | LinkageError | VirtualMachineError e) {
            // Rows of SQL are bytes until their fields are asked for.
            return hex(bytes);
        }
    }

    /** The object that the bytes stand for, or the bytes. */
    private Object object(byte[] bytes, TypeSerializer<?> serializer) {
        if (serializer == null) {
            return bytes;
        }
        try {
            in.setBuffer(bytes);
            Object object = serializer.deserialize(in);
            return in.available() == 0 ? object : bytes;
        } catch (IOException | RuntimeException | LinkageError | VirtualMachineError e) {
            return bytes;
        }
    }

    static String hex(byte[] bytes) {
        return "0x" + HexFormat.of().formatHex(bytes);
    }

    /** The last access that a value of a state with a time to live carries: its first 8 bytes; of lists the first's. */
    public static long lastAccess(StateRow row) {
        int at = row.state().form() == StateForm.MAP ? 1 : 0;
        if (!row.state().hasTtl() || row.value().length < at + Long.BYTES) {
            return NO_ACCESS;
        }
        return java.nio.ByteBuffer.wrap(row.value()).getLong(at);
    }
}
