package io.drey.store;

import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.store.entry.TableInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The contents of a store, as stored in a checkpoint's manifest: its tables and which parts of which files it sees.
 *
 * @param keyGroupTo inclusive
 * @param young youngest first
 * @param levels each sorted, free of overlaps
 * @param logs the value logs that the files of the parts point to
 */
public record StoreImage(
        int keyGroupFrom,
        int keyGroupTo,
        List<TableInfo> tables,
        List<Part> young,
        List<List<Part>> levels,
        List<FileInfo> logs) {
    /** A file of the image. */
    public record FileInfo(String name, long bytes) {}

    /** The part of a file that the store sees; bounds as those of a view. */
    public record Part(FileInfo file, int keyGroupFrom, int keyGroupTo, long prefixFrom, long prefixTo) {}

    public StoreImage {
        tables = List.copyOf(tables);
        young = List.copyOf(young);
        levels = levels.stream().map(List::copyOf).toList();
        logs = List.copyOf(logs);
    }

    /** All parts, young ones first. */
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>(young);
        levels.forEach(parts::addAll);
        return parts;
    }

    /** All files, runs and value logs, each once. */
    public List<FileInfo> files() {
        Map<String, FileInfo> files = new LinkedHashMap<>();
        parts().forEach(part -> add(part.file(), files));
        logs.forEach(log -> add(log, files));
        return List.copyOf(files.values());
    }

    private static void add(FileInfo file, Map<String, FileInfo> files) {
        FileInfo other = files.put(file.name(), file);
        if (other != null && !other.equals(file)) {
            throw new DreyException("expected one file of each name in a store image, found " + other + " and " + file
                    + ": restore from another checkpoint");
        }
    }

    public byte[] encode() {
        return ImageLayout.encode(this);
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws CorruptFileException if the bytes are damaged
     * @throws io.drey.foundation.FileVersionException if this version does not read them
     */
    public static StoreImage decode(byte[] bytes) {
        return ImageLayout.decode(bytes);
    }
}
