package io.drey.store;

import io.drey.store.entry.TableInfo;
import java.util.List;

/**
 * What a store consists of, as stored in a checkpoint's manifest: its tables and which parts of which files it sees.
 */
public final class StoreImage {
    /** A file of the image. */
    public record FileInfo(String name, long bytes) {}

    private StoreImage() {}

    public int keyGroupFrom() {
        throw new UnsupportedOperationException();
    }

    public int keyGroupTo() {
        throw new UnsupportedOperationException();
    }

    public List<TableInfo> tables() {
        throw new UnsupportedOperationException();
    }

    public List<FileInfo> files() {
        throw new UnsupportedOperationException();
    }

    public byte[] encode() {
        throw new UnsupportedOperationException();
    }

    /** Reads what {@link #encode} wrote; damaged, too old or too new bytes are distinct errors. */
    public static StoreImage decode(byte[] bytes) {
        throw new UnsupportedOperationException();
    }
}
