package io.drey.bench.probe;

import io.drey.bench.folder.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The size of all files below a directory, to which others write meanwhile, without native libraries. A walk of many
 * files takes time that a cell is to have: a long one is not repeated before it was a small part of the time since, and
 * its answer stands until then.
 */
final class FolderSize {
    /** One part of so many of the time is for walks. */
    private static final long TIME_PER_WALK_TIME = 200;

    /**
     * The size of all that is below a directory.
     *
     * @param files number of files; one with several names counts once
     * @param bytes their length
     */
    record Size(long files, long bytes) {
        static final Size UNKNOWN = new Size(-1, -1);
    }

    private final Path directory;
    private final LongSupplier nanoClock;
    private final LongSupplier costClock;
    private Size last = Size.UNKNOWN;
    private long lastEnd;
    private long lastCost;

    /**
     * @param nanoClock time
     * @param costClock processor time of this thread, in nanoseconds
     */
    FolderSize(Path directory, LongSupplier nanoClock, LongSupplier costClock) {
        this.directory = directory;
        this.nanoClock = nanoClock;
        this.costClock = costClock;
    }

    /** The size now, or a moment ago if it takes long to find out; -1 if there is no such directory. */
    Size size() {
        if (last.equals(Size.UNKNOWN) || nanoClock.getAsLong() - lastEnd >= lastCost * TIME_PER_WALK_TIME) {
            long begin = costClock.getAsLong();
            last = walk();
            lastCost = costClock.getAsLong() - begin;
            lastEnd = nanoClock.getAsLong();
        }
        return last;
    }

    private Size walk() {
        if (!Files.isDirectory(directory)) {
            return Size.UNKNOWN;
        }
        Walk walk = new Walk();
        try {
            FolderTree.files(directory, walk);
        } catch (IOException e) {
            return Size.UNKNOWN;
        }
        return new Size(walk.files, walk.bytes);
    }

    /** Files with several names are what backends make to keep a file for a checkpoint. */
    private static final class Walk implements FolderTree.FileListener {
        private final Set<Object> seen = new HashSet<>();
        private long files;
        private long bytes;

        @Override
        public void file(Path file, BasicFileAttributes attributes) {
            Object key = attributes.fileKey();
            if (attributes.isRegularFile() && !isLibrary(file) && (key == null || seen.add(key))) {
                files++;
                bytes += attributes.size();
            }
        }

        /** Backends with native parts unpack them beside their data. */
        private static boolean isLibrary(Path file) {
            String name = file.getFileName().toString();
            return name.endsWith(".so") || name.endsWith(".jnilib") || name.endsWith(".dll");
        }
    }
}
