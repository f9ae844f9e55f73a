package io.drey.bench.disk;

import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A disk that is limited as a cloud volume: a file as block device with a file system of its own, whose I/Os the kernel
 * counts and limits. Without limits until {@link #limit}; what it holds is gone when it is closed.
 *
 * <p>It changes the machine: a loop device, a mount, limits of the block-I/O controller. {@link #close} takes all of it
 * back, from any state and more than once; a shutdown hook calls it if nobody did. What a killed process left is found
 * by {@link #cleanUp}, by its image, on which nobody holds the lock.
 *
 * <p>The file system has no journal: nothing on it outlives this process, and so the I/Os are those of who uses it.
 * Thread safe.
 */
public final class RationedDisk implements AutoCloseable {
    /** How the name of an image must end: nothing else is ever deleted as one. */
    public static final String IMAGE_ENDING = ".rationed-disk";

    /** The smallest disk that holds a file system and something else. */
    public static final long SIZE_BYTES_MIN = 16 << 20;

    private static final int BYTES_PER_INODE = 128 << 10;
    private static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    /** Images of this process: asking for their locks would release them. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path image;
    private final Path mountPoint;
    private final Comparison.Disk ration;
    private RandomAccessFile imageFile;
    private LoopDevice device;
    private Throttle throttle;
    private Rationing rationing;
    private boolean mounted;
    private boolean closed;
    private Thread shutdownHook;

    private RationedDisk(Path image, Path mountPoint, Comparison.Disk ration) {
        this.image = image;
        this.mountPoint = mountPoint;
        this.ration = ration;
    }

    /** Why a disk cannot be rationed on this machine, in a sentence, or an empty text. */
    public static String whyNot() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return "a rationed disk needs Linux, found " + System.getProperty("os.name");
        }
        for (String command : List.of("losetup", "mkfs.ext4", "mount", "umount")) {
            if (!Command.exists(command)) {
                return "a rationed disk needs the command " + command + ", found none on the path";
            }
        }
        try {
            if (!isRoot()) {
                return "a rationed disk is set up by root, found another user: run as root";
            }
            String limits = Throttle.whyNot();
            if (!limits.isEmpty()) {
                return "a rationed disk needs the kernel's limits: " + limits;
            }
            Command.run("losetup", "-f");
            return "";
        } catch (IOException e) {
            return "a rationed disk needs a free loop device: " + e.getMessage();
        }
    }

    /** The same for a disk of that size with its image in a directory. */
    public static String whyNot(Path directory, long sizeBytes) throws IOException {
        String system = whyNot();
        long usable = Files.getFileStore(directory).getUsableSpace();
        if (system.isEmpty() && usable < sizeBytes) {
            return "a rationed disk of " + sizeBytes + " bytes needs as much space in " + directory + ", found "
                    + usable + " bytes: free some, or use another work directory";
        }
        return system;
    }

    private static boolean isRoot() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Uid:")) {
                return line.split("\\s+")[2].equals("0");
            }
        }
        return false;
    }

    /**
     * Makes a disk of {@code sizeBytes}.
     *
     * @param image a file that does not exist yet, with a name that ends with {@link #IMAGE_ENDING}
     * @param mountPoint a directory that is empty or does not exist yet
     * @throws IOException with what failed; nothing is left then
     */
    public static RationedDisk create(Path image, Path mountPoint, long sizeBytes, Comparison.Disk ration)
            throws IOException {
        if (!image.toString().endsWith(IMAGE_ENDING) || sizeBytes < SIZE_BYTES_MIN) {
            throw new IllegalArgumentException("expected an image named *" + IMAGE_ENDING + " of at least "
                    + SIZE_BYTES_MIN + " bytes, found " + image + " of " + sizeBytes + " bytes");
        }
        Rationing.check(ration);
        Files.createDirectories(image.toAbsolutePath().getParent());
        String why = whyNot(image.toAbsolutePath().getParent(), sizeBytes);
        if (!why.isEmpty()) {
            throw new IOException(why);
        }
        Files.createDirectories(mountPoint);
        RationedDisk disk = new RationedDisk(
                image.toAbsolutePath().getParent().toRealPath().resolve(image.getFileName()),
                mountPoint.toRealPath(),
                ration);
        try {
            disk.setUp(sizeBytes);
            return disk;
        } catch (IOException | RuntimeException e) {
            try {
                disk.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private synchronized void setUp(long sizeBytes) throws IOException {
        shutdownHook = new Thread(this::closeAtShutdown, "rationed-disk-close");
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        OWN.add(image);
        try {
            Files.createFile(image);
        } catch (FileAlreadyExistsException e) {
            throw new IOException("expected no file " + image + " yet: another disk, or what a killed run left", e);
        }
        imageFile = new RandomAccessFile(image.toFile(), "rw");
        if (imageFile.getChannel().tryLock() == null) {
            throw new IOException("expected nobody to use " + image + ", found it locked by another process");
        }
        imageFile.setLength(sizeBytes);
        device = LoopDevice.attach(image);
        throttle = new Throttle(device.number());
        throttle.clear();
        // Inode tables are written now, not by a thread of the kernel while the disk is measured.
        Command.run(
                "mkfs.ext4",
                "-q",
                "-F",
                "-O",
                "^has_journal",
                "-m",
                "0",
                "-i",
                Integer.toString(BYTES_PER_INODE),
                "-E",
                "nodiscard,lazy_itable_init=0",
                device.path());
        Command.run("mount", "-t", "ext4", "-o", "noatime,nodiscard", device.path(), mountPoint.toString());
        mounted = true;
    }

    /** Where its files go. */
    public Path directory() {
        return mountPoint;
    }

    /** The block device's name, such as {@code loop0}. */
    public synchronized String device() {
        return device.name();
    }

    /** Holds the disk to its ration from now on, with all credits. Does nothing if it is held already. */
    public synchronized void limit() throws IOException {
        checkOpen();
        if (rationing == null) {
            Rationing started = new Rationing(device, throttle, ration);
            rationing = started;
            started.start();
        }
    }

    /**
     * Takes the limits away; throws if the ration was not kept until now. A closed disk has none: on Ctrl-C it may be
     * closed before its user knows.
     */
    public synchronized void unlimit() throws IOException {
        endRationing();
    }

    /**
     * Writes what waits to be written, and makes the kernel forget what it has of files, on other disks as well: reads
     * reach the disk from now on.
     */
    public void forget() throws IOException {
        Command.run("sync", "-f", mountPoint.toString());
        Files.writeString(DROP_CACHES, "1");
    }

    /** I/Os that a limited disk may do beyond its lasting rate. */
    synchronized double credits() {
        return rationing.credits();
    }

    private void endRationing() throws IOException {
        Rationing running = rationing;
        if (running != null) {
            rationing = null;
            running.stop();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("expected the disk at " + mountPoint + " to be open, found it closed");
        }
    }

    /** Takes everything back that was set up, as far as it goes; throws what failed. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        TearDown tearDown = new TearDown();
        tearDown.step(this::endRationing);
        if (mounted) {
            tearDown.step(() -> TearDown.unmount(mountPoint));
        }
        if (throttle != null) {
            tearDown.step(throttle::clear);
        }
        if (device != null) {
            tearDown.step(device::detach);
        }
        if (imageFile != null) {
            tearDown.step(imageFile::close);
            tearDown.step(() -> Files.deleteIfExists(image));
        }
        tearDown.step(() -> TearDown.deleteIfEmpty(mountPoint));
        OWN.remove(image);
        forgetHook();
        tearDown.end();
    }

    private void forgetHook() {
        if (shutdownHook != null && Thread.currentThread() != shutdownHook) {
            try {
                Runtime.getRuntime().removeShutdownHook(shutdownHook);
            } catch (IllegalStateException e) {
                // The machine is going down: the hook runs or waits for this call, and finds everything done.
                shutdownHook = null;
            }
        }
    }

    private void closeAtShutdown() {
        try {
            close();
        } catch (IOException e) {
            System.err.println("The rationed disk was not taken down completely: " + e.getMessage());
        }
    }

    /**
     * Takes back what a killed process left of a disk: mount, loop device and image. The disk of a living one stays.
     *
     * @param image as it was given to {@link #create}
     */
    public static void cleanUp(Path image) throws IOException {
        Path directory = image.toAbsolutePath().getParent();
        if (!Files.isDirectory(directory) || !System.getProperty("os.name").equals("Linux")) {
            return;
        }
        Path real = directory.toRealPath().resolve(image.getFileName());
        if (isUsed(real)) {
            return;
        }
        TearDown tearDown = new TearDown();
        for (LoopDevice left : LoopDevice.attachedAt(real)) {
            tearDown.step(() -> takeDown(left, real));
        }
        tearDown.step(() -> Files.deleteIfExists(real));
        tearDown.end();
    }

    private static void takeDown(LoopDevice left, Path image) throws IOException {
        TearDown tearDown = new TearDown();
        for (Path mountPoint : TearDown.mountPoints(left.path())) {
            tearDown.step(() -> TearDown.unmount(mountPoint));
            tearDown.step(() -> TearDown.deleteIfEmpty(mountPoint));
        }
        tearDown.step(() -> new Throttle(left.number()).clear());
        tearDown.step(left::detach);
        tearDown.step(() -> Files.deleteIfExists(image));
        tearDown.end();
    }

    /** Whether a living process, this one or another, holds the lock on an image. */
    private static boolean isUsed(Path image) throws IOException {
        if (OWN.contains(image)) {
            return true;
        }
        if (!Files.isRegularFile(image)) {
            return false;
        }
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw");
                FileLock lock = file.getChannel().tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }
}
