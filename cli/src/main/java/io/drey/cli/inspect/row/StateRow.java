package io.drey.cli.inspect.row;

/**
 * An entry of a state, as bytes: a value, a whole list, or an entry of a map; or a timer.
 *
 * @param key of timers the timer itself, of unread states the whole address
 * @param namespace empty if there is none
 * @param mapKey null but for maps
 * @param value of lists the elements with a byte between them; of map entries a byte that says whether it is null, and
 *     the value
 */
public record StateRow(StateInfo state, int keyGroup, byte[] key, byte[] namespace, byte[] mapKey, byte[] value) {
    private static final byte[] NOTHING = new byte[0];

    public static StateRow timer(StateInfo state, int keyGroup, byte[] timer) {
        return new StateRow(state, keyGroup, timer, NOTHING, null, NOTHING);
    }

    /** Bytes of key, namespace and map key. */
    public int keyBytes() {
        return key.length + namespace.length + (mapKey == null ? 0 : mapKey.length);
    }
}
