package io.drey.store.entry;

/** The kind of a table's entries. The code is part of the file formats. */
public enum TableKind {
    /** One value for a (key, namespace). */
    VALUE((byte) 1),
    /** Bytes appended under a (key, namespace). */
    LIST((byte) 2),
    /** Many map keys in byte order under a (key, namespace), which together are a row. */
    MAP((byte) 3);

    private final byte code;

    TableKind(byte code) {
        this.code = code;
    }

    public byte code() {
        return code;
    }

    /** The kind of a code read from a file, or null if there is none. */
    public static TableKind of(byte code) {
        for (TableKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }
}
