package io.drey.bench.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.bench.probe.ReadsAndWrites;
import io.drey.bench.result.ProcessSample;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A block device that is a file: attached, asked for its counts, detached. Its largest I/O is what a cloud volume
 * counts as one, so that the kernel splits, counts and limits as the volume does.
 */
final class LoopDevice {
    private static final Path DEVICES = Path.of("/sys/block");

    /** What the kernel appends to the name of an image that was deleted while attached. */
    private static final String DELETED = " (deleted)";

    private final String name;
    private final String largestIoBefore;

    private LoopDevice(String name, String largestIoBefore) {
        this.name = name;
        this.largestIoBefore = largestIoBefore;
    }

    /** Attaches an image to a free device, past the page cache of the disk below. */
    static LoopDevice attach(Path image) throws IOException {
        String path = Command.run("losetup", "--direct-io=on", "-f", "--show", image.toString())
                .strip();
        LoopDevice device = named(Path.of(path).getFileName().toString());
        try {
            Files.writeString(device.largestIo(), Integer.toString(ProcessSample.Io.BYTES_MAX / 1024));
            return device;
        } catch (IOException e) {
            try {
                device.detach();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static LoopDevice named(String name) throws IOException {
        return new LoopDevice(name, Files.readString(largestIo(name)).strip());
    }

    /** The devices whose images are a file, or below a directory, deleted images too. */
    static List<LoopDevice> attachedAt(Path place) throws IOException {
        List<LoopDevice> found = new ArrayList<>();
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(DEVICES, "loop*")) {
            for (Path device : devices) {
                LoopDevice loop = named(device.getFileName().toString());
                Path image = loop.image();
                if (image != null && image.startsWith(place)) {
                    found.add(loop);
                }
            }
        }
        return found;
    }

    /** The image that is attached, or null. */
    Path image() throws IOException {
        Path file = DEVICES.resolve(name).resolve("loop/backing_file");
        if (!Files.exists(file)) {
            return null;
        }
        String image = Files.readString(file, UTF_8).strip();
        return Path.of(image.endsWith(DELETED) ? image.substring(0, image.length() - DELETED.length()) : image);
    }

    /** Such as {@code loop0}. */
    String name() {
        return name;
    }

    String path() {
        return "/dev/" + name;
    }

    /** Such as {@code 7:0}. */
    String number() throws IOException {
        return Files.readString(DEVICES.resolve(name).resolve("dev")).strip();
    }

    /** I/Os and bytes that the device completed since it was made. */
    ProcessSample.Io counts() throws IOException {
        Path stat = DEVICES.resolve(name).resolve("stat");
        ProcessSample.Io counts = ReadsAndWrites.ofDevice(Files.readString(stat));
        if (counts.equals(ProcessSample.Io.UNKNOWN)) {
            throw new IOException("expected the numbers of a block device in " + stat + ", found others");
        }
        return counts;
    }

    private Path largestIo() {
        return largestIo(name);
    }

    private static Path largestIo(String name) {
        return DEVICES.resolve(name).resolve("queue/max_sectors_kb");
    }

    /** Frees the device; at once, or when its last user is gone. The next one gets it as it was. */
    void detach() throws IOException {
        Command.run("losetup", "-d", path());
        Files.writeString(largestIo(), largestIoBefore);
    }
}
