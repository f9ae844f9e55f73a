package io.drey.store.version;

import io.drey.store.run.RunView;
import java.util.List;
import java.util.stream.Stream;

/**
 * The runs that make up the store. Immutable.
 *
 * @param young youngest first; each hides those after it and all levels
 * @param levels each sorted by prefix and free of overlaps; no key is in two of them. Normally one, several after a
 *     rescale
 */
public record Version(List<RunView> young, List<List<RunView>> levels) {
    public static final Version EMPTY = new Version(List.of(), List.of());

    public Version {
        young = List.copyOf(young);
        levels = levels.stream().map(List::copyOf).toList();
    }

    /** All views, youngest first. */
    public Stream<RunView> views() {
        return Stream.concat(young.stream(), levels.stream().flatMap(List::stream));
    }

    /** Whether all files of it are here. */
    public boolean isWhole() {
        return views().allMatch(view -> view.run().isWhole());
    }

    /** Bytes of the views in all levels. */
    public long levelBytes() {
        return levels.stream().flatMap(List::stream).mapToLong(RunView::bytes).sum();
    }
}
