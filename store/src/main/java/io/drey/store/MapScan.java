package io.drey.store;

/** A walk over one map, see {@link Store#scanMap}. The arrays are valid until the next {@link #next()}. */
public final class MapScan {
    MapScan() {}

    public boolean next() {
        throw new UnsupportedOperationException();
    }

    /** Holds the current map key at {@link #keyOffset()}, and its value at {@link #valueOffset()}. */
    public byte[] bytes() {
        throw new UnsupportedOperationException();
    }

    public int keyOffset() {
        throw new UnsupportedOperationException();
    }

    public int keyLength() {
        throw new UnsupportedOperationException();
    }

    public int valueOffset() {
        throw new UnsupportedOperationException();
    }

    public int valueLength() {
        throw new UnsupportedOperationException();
    }
}
