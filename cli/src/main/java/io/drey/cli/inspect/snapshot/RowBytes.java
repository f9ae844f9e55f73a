package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.row.StateForm;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.row.StateRow;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;

/** Takes the keys of rows in Flink's canonical format apart. One thread. */
final class RowBytes {
    private final int prefixBytes;
    private final DataInputDeserializer in = new DataInputDeserializer();

    RowBytes(int maxParallelism) {
        this.prefixBytes = CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(maxParallelism);
    }

    StateRow row(StateInfo state, int keyGroup, byte[] key, byte[] value) throws IOException {
        if (state.form() == StateForm.TIMERS) {
            return StateRow.timer(state, keyGroup, Arrays.copyOfRange(key, prefixBytes, key.length));
        }
        in.setBuffer(key, prefixBytes, key.length - prefixBytes);
        boolean withLengths = CompositeKeySerializationUtils.isAmbiguousKeyPossible(state.key(), state.namespace());
        byte[] own = part(key, state.key(), withLengths);
        byte[] namespace = part(key, state.namespace(), withLengths);
        int rest = in.getPosition();
        boolean isMap = state.form() == StateForm.MAP;
        byte[] mapKey = isMap ? Arrays.copyOfRange(key, rest, key.length) : null;
        if (!isMap && rest != key.length) {
            throw new IOException("expected a key of state " + state.name() + " to end after " + rest + " bytes, found "
                    + key.length + ": the savepoint is damaged");
        }
        return new StateRow(state, keyGroup, own, namespace, mapKey, value);
    }

    private byte[] part(byte[] row, TypeSerializer<?> serializer, boolean withLengths) throws IOException {
        int from = in.getPosition();
        serializer.deserialize(in);
        int to = in.getPosition();
        if (withLengths) {
            CompositeKeySerializationUtils.readVariableIntBytes(in, to - from);
        }
        return Arrays.copyOfRange(row, from, to);
    }
}
