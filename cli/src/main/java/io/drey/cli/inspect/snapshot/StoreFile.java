package io.drey.cli.inspect.snapshot;

import io.drey.files.Directory;
import io.drey.files.ReadableFile;
import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.store.StoreImage;
import io.drey.store.StoreImage.FileInfo;
import io.drey.store.StoreImage.Part;
import io.drey.store.entry.EntryKey;
import io.drey.store.inspect.ImageView;
import io.drey.store.run.RunInfo;
import io.drey.store.run.RunView;
import io.drey.store.value.ValueLogVerifier;
import java.util.List;

/** A single file of a store: a run or a value log, looked at without a manifest. */
public final class StoreFile {
    private static final long LOG_BUFFER_BYTES = 2L << 20;
    private static final int LOG_PAGE_BYTES = 4 << 10;

    private StoreFile() {}

    /** What the footer of a run says. */
    public static RunInfo run(Directory directory, String name, long bytes) {
        try (ImageView view = ImageView.open(directory, alone(name, bytes))) {
            return view.runs().get(name);
        }
    }

    /** Reads all of a run, with its values in the value logs beside it. */
    public static void verifyRun(Directory directory, String name, long bytes) {
        try (ImageView view = ImageView.open(directory, alone(name, bytes))) {
            view.verify(name);
        }
    }

    private static StoreImage alone(String name, long bytes) {
        int last = EntryKey.TABLES_MAX - 1;
        Part part = new Part(new FileInfo(name, bytes), 0, last, 0, RunView.NO_END);
        return new StoreImage(0, last, List.of(), List.of(part), List.of(), List.of());
    }

    /** Reads all of a value log. */
    public static ValueLogVerifier.Summary verifyLog(ReadableFile file) {
        try (Arena arena = new Arena(LOG_BUFFER_BYTES, LOG_PAGE_BYTES)) {
            return ValueLogVerifier.verify(file, arena, new Overdraft(ImageView.BORROWED_BYTES_MAX));
        }
    }
}
