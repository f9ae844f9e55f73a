package io.drey.shuffle.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.drey.shuffle.worker.device.DeviceDriver;
import io.drey.shuffle.worker.device.DeviceLoop;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A disk in memory that outlives its worker's processes: it fills up, fails, hangs, is slow, flips bits, loses its cache. */
final class SimulatedDisk implements WorkerDisk {
    private static final long ROOM_BYTES = 1L << 40;

    /** In which a flipped bit may make another format of it, which no restart reads or deletes. */
    private static final int JOURNAL_HEADER_BYTES = 8;

    /** One file's bytes; those that are open outlive their name. */
    private static final class Content {
        private byte[] bytes = new byte[256];
        private int size;

        void put(int at, ByteBuffer from, int length) {
            if (at + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(at + length, 2 * bytes.length));
            }
            from.get(bytes, at, length);
            size = Math.max(size, at + length);
        }

        void truncate(int newSize) {
            if (newSize < size) {
                Arrays.fill(bytes, newSize, size, (byte) 0);
                size = newSize;
            }
        }
    }

    private final World world;
    private final Path root;
    private final TreeMap<Path, Content> files = new TreeMap<>();
    private final TreeSet<Path> directories = new TreeSet<>();
    private boolean isFull;
    private boolean isFailing;
    private boolean isSlow;
    private boolean isHanging;
    private boolean isLocked;

    SimulatedDisk(World world, Path root) {
        this.world = world;
        this.root = root;
        directories.add(root);
    }

    Path root() {
        return root;
    }

    void full(boolean now) {
        isFull = now;
    }

    void failing(boolean now) {
        isFailing = now;
    }

    boolean isFailing() {
        return isFailing;
    }

    /** Nothing ends any more, until it does. */
    void hanging(boolean now) {
        isHanging = now;
    }

    boolean isHanging() {
        return isHanging;
    }

    void slow(boolean now) {
        isSlow = now;
    }

    /** Everything is gone; the directory belongs to this worker now. */
    void empty(UUID worker) {
        files.clear();
        directories.removeIf(each -> !each.equals(root));
        UUID directory = new UUID(world.random().nextLong(), world.random().nextLong());
        byte[] text = String.format(Locale.ROOT, "directory=%s%nworker=%s%n", directory, worker)
                .getBytes(US_ASCII);
        Content identity = new Content();
        identity.put(0, ByteBuffer.wrap(text), text.length);
        files.put(root.resolve("worker.properties"), identity);
    }

    /** The process is no more, and with it its lock. */
    void unlock() {
        isLocked = false;
    }

    boolean isLocked() {
        return isLocked;
    }

    /** One bit of the data of partitions, or of a record of a journal, is another; whether there was any. */
    boolean flip() {
        List<Map.Entry<Path, Content>> all = files.entrySet().stream()
                .filter(each -> isData(each.getKey()) || isJournal(each.getKey()))
                .filter(each -> each.getValue().size > first(each.getKey()))
                .toList();
        if (all.isEmpty()) {
            return false;
        }
        Map.Entry<Path, Content> file = all.get(world.random().nextInt(all.size()));
        Content content = file.getValue();
        content.bytes[world.random().nextInt(first(file.getKey()), content.size)] ^=
                (byte) (1 << world.random().nextInt(8));
        return true;
    }

    private static int first(Path file) {
        return isJournal(file) ? JOURNAL_HEADER_BYTES : 0;
    }

    /** The machine went down: ends of files that were not synced are cut, zeros or anything. */
    void tear() {
        files.forEach((path, content) -> {
            if (isData(path) || isJournal(path)) {
                int from = world.random().nextInt(content.size + 1);
                switch (world.random().nextInt(4)) {
                    case 0 -> content.truncate(from);
                    case 1 -> Arrays.fill(content.bytes, from, content.size, (byte) 0);
                    case 2 -> {
                        for (int i = from; i < content.size; i++) {
                            content.bytes[i] = (byte) world.random().nextInt();
                        }
                    }
                    default -> {
                        return;
                    }
                }
            }
        });
    }

    private static boolean isJournal(Path path) {
        return path.toString().endsWith(".journal");
    }

    private boolean isData(Path path) {
        return path.getNameCount() == root.getNameCount() + 3;
    }

    /** Files that are not the worker's own. */
    List<Path> leftovers() {
        return files.keySet().stream()
                .filter(each -> !each.getParent().equals(root))
                .toList();
    }

    List<Path> data() {
        return files.keySet().stream().filter(this::isData).toList();
    }

    private void mayFail() throws IOException {
        if (isFailing) {
            throw new IOException("Input/output error");
        }
    }

    @Override
    public WorkerFile create(Path file) throws IOException {
        mayFail();
        if (files.containsKey(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        for (Path each = file.getParent(); directories.add(each); ) {
            each = each.getParent();
        }
        Content content = new Content();
        files.put(file, content);
        return new OpenFile(content);
    }

    @Override
    public WorkerFile open(Path file) throws IOException {
        mayFail();
        Content content = files.get(file);
        if (content == null) {
            throw new NoSuchFileException(file.toString());
        }
        return new OpenFile(content);
    }

    @Override
    public WorkerFile openToChange(Path file) throws IOException {
        return open(file);
    }

    @Override
    public void delete(Path path) throws IOException {
        mayFail();
        if (directories.contains(path)) {
            if (!list(path).isEmpty()) {
                throw new DirectoryNotEmptyException(path.toString());
            }
            directories.remove(path);
        }
        files.remove(path);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        mayFail();
        files.put(to, files.remove(from));
    }

    @Override
    public boolean isDirectory(Path path) {
        return directories.contains(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        mayFail();
        TreeSet<Path> found = new TreeSet<>();
        for (Path each : files.keySet()) {
            if (each.getParent().equals(directory)) {
                found.add(each);
            }
        }
        for (Path each : directories) {
            if (!each.equals(root) && each.getParent().equals(directory)) {
                found.add(each);
            }
        }
        return List.copyOf(found);
    }

    @Override
    public Closeable lock(Path file) {
        if (isLocked) {
            return null;
        }
        isLocked = true;
        return this::unlock;
    }

    /** Those of its driver's turns are enough. */
    @Override
    public long steps() {
        return 0;
    }

    @Override
    public long freeBytes() throws IOException {
        mayFail();
        return isFull ? 0 : ROOM_BYTES;
    }

    @Override
    public long totalBytes() {
        return ROOM_BYTES;
    }

    private final class OpenFile implements WorkerFile {
        private final Content content;

        OpenFile(Content content) {
            this.content = content;
        }

        @Override
        public long size() {
            return content.size;
        }

        /** A full or failing disk may have taken a part of it. */
        @Override
        public void append(long at, ByteBuffer[] buffers, int count) throws IOException {
            if (at > content.size) {
                throw new IllegalStateException("expected an append at byte " + content.size + ", found " + at);
            }
            int place = (int) at;
            for (int i = 0; i < count; i++) {
                int length = buffers[i].remaining();
                if (isFull || isFailing) {
                    content.put(place, buffers[i], world.random().nextInt(length + 1));
                    throw new IOException(isFull ? "No space left on device" : "Input/output error");
                }
                content.put(place, buffers[i], length);
                place += length;
            }
        }

        @Override
        public long read(long at, ByteBuffer[] buffers, int count) throws IOException {
            mayFail();
            int place = (int) at;
            for (int i = 0; i < count && place < content.size; i++) {
                int length = Math.min(buffers[i].remaining(), content.size - place);
                buffers[i].put(content.bytes, place, length);
                place += length;
            }
            return place - at;
        }

        @Override
        public void truncate(long size) throws IOException {
            mayFail();
            content.truncate((int) size);
        }

        @Override
        public void sync() throws IOException {
            mayFail();
        }

        @Override
        public void close() throws IOException {
            mayFail();
        }
    }

    /** Turns of a loop in the world's time. */
    final class Driver implements DeviceDriver {
        private static final long LONG_NANOS = 20 * World.MS;
        private static final long SLOW_NANOS = 5 * World.SECOND;

        private DeviceLoop loop;
        private boolean isWoken;
        private boolean isDead;

        @Override
        public void start(DeviceLoop started) {
            loop = started;
        }

        @Override
        public void wake() {
            if (!isWoken && !isDead && loop != null) {
                isWoken = true;
                long soon = world.oneIn(8) ? world.between(1, LONG_NANOS) : world.jitter();
                world.after(isSlow ? SLOW_NANOS : soon, this::turn);
            }
        }

        private void turn() {
            if (isHanging) {
                world.after(World.SECOND, this::turn);
                return;
            }
            isWoken = false;
            if (!isDead && loop.turn()) {
                wake();
            }
        }

        @Override
        public boolean awaitEnd() {
            if (isHanging) {
                return false;
            }
            while (loop.turn()) {
                // What it was told before is done.
                continue;
            }
            loop.closeFiles();
            isDead = true;
            return true;
        }

        void kill() {
            isDead = true;
        }
    }
}
