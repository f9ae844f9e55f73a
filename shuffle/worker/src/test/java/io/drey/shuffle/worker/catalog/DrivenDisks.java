package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.worker.device.DeviceDriver;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.disk.WorkerDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/** Local disks whose loops a test drives. */
public record DrivenDisks(Function<Path, DeviceDriver> drivers) implements Storage.Disks {
    @Override
    public WorkerDisk of(Path directory) throws IOException {
        return new LocalDisk(directory);
    }

    @Override
    public DeviceDriver driver(Path directory) {
        return drivers.apply(directory);
    }
}
