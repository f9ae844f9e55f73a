package io.drey.bench.cell;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * An archive of the classes that every cell loads, as the virtual machine maps it instead of reading and verifying them
 * one by one: a cell begins seconds earlier. A cell without state makes it; where that fails, cells start as they
 * always did.
 */
public final class ClassArchive {
    private static final String FILE = "classes.jsa";
    private static final CellSpec.Load LOAD = new CellSpec.Load("last-seen", 1, 10_000, "uniform", 0, 0, true);
    private static final CellSpec.Time TIME = new CellSpec.Time(60_000, 0, 1_000, 10_000);
    private static final CellSpec.Memory MEMORY = new CellSpec.Memory(16L << 20, 512L << 20);
    private static final String STATE_BACKEND = "state.backend.type";

    private ClassArchive() {}

    /**
     * Makes the archive.
     *
     * @param directory for it and for the cell that makes it
     * @return the options of a virtual machine that uses it; empty if it could not be made
     */
    public static List<String> create(Path directory) throws IOException, InterruptedException {
        Path archive = directory.resolve(FILE).toAbsolutePath();
        Path local = Files.createDirectories(directory.resolve("local"));
        Path checkpoints = Files.createDirectories(directory.resolve("checkpoints"));
        CellSpec spec = new CellSpec(
                "class-archive",
                "no-state",
                1,
                LOAD,
                TIME,
                MEMORY,
                new CellSpec.Places(local.toString(), checkpoints.toString(), null, null, null),
                Map.of(STATE_BACKEND, "hashmap"),
                List.of());
        try (CellProcess process =
                CellProcess.start(spec, directory, List.of("-XX:ArchiveClassesAtExit=" + archive), moment -> {})) {
            CellResult result = process.await();
            return result.error() == null && Files.exists(archive)
                    ? List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto")
                    : List.of();
        }
    }
}
