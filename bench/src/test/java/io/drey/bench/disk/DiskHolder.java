package io.drey.bench.disk;

import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.nio.file.Path;

/** A process that makes a limited disk, says so, and holds it until it is killed. */
final class DiskHolder {
    static final String READY = "ready";

    private DiskHolder() {}

    public static void main(String[] arguments) throws IOException {
        RationedDisk disk = RationedDisk.create(
                Path.of(arguments[0]), Path.of(arguments[1]), 64 << 20, new Comparison.Disk(100, 0, 100, 0));
        disk.limit();
        System.out.print(READY);
        System.out.flush();
        // Nobody writes to it: this waits for the end.
        int end = System.in.read();
        disk.close();
        System.exit(end == -1 ? 0 : 1);
    }
}
