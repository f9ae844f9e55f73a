package io.drey.flink.state.canonical;

import io.drey.flink.state.table.StateTable;
import io.drey.keyed.codec.EntryBody;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;

/**
 * The key of a canonical row, between its bytes and an address in the store:
 *
 * <pre>
 *  states  | key group (1-2, big endian) | key | [key length] | namespace | [namespace length] | [map key] |
 *  timers  | key group (1-2, big endian) | timer |
 * </pre>
 *
 * Lengths are written, after what they measure, only if the serializers of both key and namespace are of variable size:
 * a little-endian number of as many bytes as it needs, at least one. One object serves one table in one thread.
 */
final class CompositeKey {
    private static final byte[] NOTHING = new byte[0];

    private final int table;
    private final int prefixBytes;
    private final TypeSerializer<?> keySerializer;
    private final TypeSerializer<?> namespaceSerializer;
    private final boolean withLengths;
    private final boolean isMap;
    private final DataInputDeserializer in = new DataInputDeserializer();
    private final EntryKey entry = new EntryKey();

    private CompositeKey(
            StateTable table, int prefixBytes, TypeSerializer<?> keySerializer, TypeSerializer<?> namespaceSerializer) {
        this.table = table.number();
        this.prefixBytes = prefixBytes;
        this.keySerializer = keySerializer;
        this.namespaceSerializer = namespaceSerializer;
        this.withLengths = namespaceSerializer != null
                && CompositeKeySerializationUtils.isAmbiguousKeyPossible(keySerializer, namespaceSerializer);
        this.isMap = table.kind() == TableKind.MAP;
    }

    /** Keys of a table whose serializers are those of now. */
    static CompositeKey of(StateTable table, TypeSerializer<?> keySerializer, int prefixBytes) {
        TypeSerializer<?> namespaceSerializer =
                table.info() instanceof RegisteredKeyValueStateBackendMetaInfo<?, ?> info
                        ? info.getNamespaceSerializer().duplicate()
                        : null;
        return new CompositeKey(table, prefixBytes, keySerializer.duplicate(), namespaceSerializer);
    }

    /** The canonical bytes of an entry. */
    byte[] toCanonical(EntryBody body, int keyGroup) {
        int lengths = withLengths ? varBytes(body.keyLength()) + varBytes(body.namespaceLength()) : 0;
        int mapKeyLength = body.isMapEntry() ? body.mapKeyLength() : 0;
        // A timer's namespace says which bucket it lies in, which is nobody else's business.
        int namespaceLength = namespaceSerializer == null ? 0 : body.namespaceLength();
        byte[] row = new byte[prefixBytes + body.keyLength() + namespaceLength + lengths + mapKeyLength];
        int at = putKeyGroup(row, keyGroup);
        at = append(row, at, body.bytes(), body.keyOffset(), body.keyLength());
        at = appendLength(row, at, body.keyLength());
        at = append(row, at, body.bytes(), body.namespaceOffset(), namespaceLength);
        at = appendLength(row, at, namespaceLength);
        if (body.isMapEntry()) {
            at = append(row, at, body.bytes(), body.mapKeyOffset(), mapKeyLength);
        }
        assert at == row.length : at;
        return row;
    }

    /** The canonical bytes of a timer. */
    byte[] toCanonical(byte[] timer, int keyGroup) {
        byte[] row = new byte[prefixBytes + timer.length];
        append(row, putKeyGroup(row, keyGroup), timer, 0, timer.length);
        return row;
    }

    private int putKeyGroup(byte[] row, int keyGroup) {
        for (int i = 0; i < prefixBytes; i++) {
            row[i] = (byte) (keyGroup >>> (8 * (prefixBytes - 1 - i)));
        }
        return prefixBytes;
    }

    private static int append(byte[] row, int at, byte[] bytes, int offset, int length) {
        System.arraycopy(bytes, offset, row, at, length);
        return at + length;
    }

    private int appendLength(byte[] row, int at, int length) {
        if (!withLengths) {
            return at;
        }
        int next = at;
        int left = length;
        do {
            row[next++] = (byte) left;
            left >>>= 8;
        } while (left != 0);
        return next;
    }

    private static int varBytes(int length) {
        return length == 0 ? 1 : (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
    }

    /** The address of a row among those of a key group, valid until the next call. */
    EntryKey fromCanonical(byte[] row, int keyGroup) throws IOException {
        in.setBuffer(row);
        int found = CompositeKeySerializationUtils.readKeyGroup(prefixBytes, in);
        if (found != keyGroup) {
            throw new IOException("expected a row of key group " + keyGroup + " in a canonical savepoint, found one of "
                    + found + ": it is damaged, restore from another");
        }
        if (namespaceSerializer == null) {
            entry.row(table, keyGroup, NOTHING, 0, NOTHING, 0);
            return entry.mapKey(row, prefixBytes, row.length - prefixBytes);
        }
        byte[] key = readPart(row, keySerializer);
        byte[] namespace = readPart(row, namespaceSerializer);
        entry.row(table, keyGroup, key, key.length, namespace, namespace.length);
        int rest = in.getPosition();
        if (isMap) {
            return entry.mapKey(row, rest, row.length - rest);
        }
        if (rest != row.length) {
            throw new IOException("expected a row's key to end after " + rest + " bytes, found " + row.length
                    + ": the savepoint was written with other serializers than " + keySerializer + " and "
                    + namespaceSerializer);
        }
        return entry;
    }

    /** Only the serializer knows where its bytes end. */
    private byte[] readPart(byte[] row, TypeSerializer<?> serializer) throws IOException {
        int from = in.getPosition();
        serializer.deserialize(in);
        int to = in.getPosition();
        if (withLengths) {
            CompositeKeySerializationUtils.readVariableIntBytes(in, to - from);
        }
        return Arrays.copyOfRange(row, from, to);
    }
}
