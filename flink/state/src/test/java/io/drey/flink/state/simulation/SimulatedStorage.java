package io.drey.flink.state.simulation;

import io.drey.checkpoint.retention.SharedName;
import io.drey.foundation.Hash;
import io.drey.testkit.Coroutine;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.flink.core.fs.BlockLocation;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/**
 * A checkpoint storage in memory, under Flink's own streams and handles. I/Os fail as
 * a seed and the number of the file say, whatever its name is. A process that was killed changes nothing any more.
 */
final class SimulatedStorage extends FileSystem {
    static final String SCHEME = "simulated";
    static final URI ROOT = URI.create(SCHEME + "://storage/");
    static final String FAULT = "injected fault of the storage";

    private static final SimulatedStorage INSTANCE = new SimulatedStorage();
    private static final int PER_MILLE = 1000;

    private static final long EPOCH_MS = 1_000_000_000_000L;

    /** Of a file that is written, between two pauses. */
    private static final int PART_BYTES = 400;

    /** Makes Flink find it. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return INSTANCE;
        }
    }

    /** A process that uses the storage. */
    static final class Process {
        private boolean dead;

        boolean isDead() {
            return dead;
        }

        void kill() {
            dead = true;
        }
    }

    /** What went wrong on purpose. */
    record Counts(
            long writesFailed,
            long writesTorn,
            long readsFailed,
            long deletesFailed,
            long listsFailed,
            long aheadDeleted,
            long cleaned) {}

    /** Who uses it now, apart from ordinary checkpoints. */
    enum Role {
        CHECKPOINT,
        ROUND,
        JANITOR
    }

    private static final String MANIFEST_BEGIN = "DREYM";

    private final TreeMap<String, StoredFile> files = new TreeMap<>();
    private final Set<String> undeleted = new TreeSet<>();
    private final Set<String> unreadable = new TreeSet<>();
    private final List<String> deletedInUse = new ArrayList<>();
    private long seed;
    private long created;
    private int faultsPerMille;
    private long bytes;
    private long writesFailed;
    private long writesTorn;
    private long readsFailed;
    private long deletesFailed;
    private long listsFailed;
    private long listings;
    private long cleaned;
    private SplittableRandom listChance;
    private LongSupplier millis;
    private long aheadStored;
    private long aheadDeleted;
    private Role role = Role.CHECKPOINT;
    private Process process = new Process();
    private Predicate<String> inUse = path -> false;
    private Predicate<String> kept = path -> false;

    /** The storage, empty and without faults. */
    static SimulatedStorage begin(long seed) {
        INSTANCE.files.clear();
        INSTANCE.undeleted.clear();
        INSTANCE.unreadable.clear();
        INSTANCE.deletedInUse.clear();
        INSTANCE.seed = seed;
        INSTANCE.created = 0;
        INSTANCE.faultsPerMille = 0;
        INSTANCE.bytes = 0;
        INSTANCE.writesFailed = 0;
        INSTANCE.writesTorn = 0;
        INSTANCE.readsFailed = 0;
        INSTANCE.deletesFailed = 0;
        INSTANCE.aheadStored = 0;
        INSTANCE.aheadDeleted = 0;
        INSTANCE.role = Role.CHECKPOINT;
        INSTANCE.listsFailed = 0;
        INSTANCE.listings = 0;
        INSTANCE.cleaned = 0;
        INSTANCE.listChance = new SplittableRandom(~seed);
        INSTANCE.inUse = path -> false;
        return INSTANCE;
    }

    /** Tells the time, and what checkpoints list that are kept. */
    void surround(LongSupplier newMillis, Predicate<String> listed) {
        millis = newMillis;
        kept = listed;
    }

    /** From now on so many of a thousand I/Os fail. */
    void faults(int perMille) {
        faultsPerMille = perMille;
    }

    /** Tells what must not be deleted. */
    void inUse(Predicate<String> path) {
        inUse = path;
    }

    /** From now on it is this process that calls; returns the one before. */
    Process enter(Process caller) {
        Process before = process;
        process = caller;
        return before;
    }

    Counts counts() {
        return new Counts(writesFailed, writesTorn, readsFailed, deletesFailed, listsFailed, aheadDeleted, cleaned);
    }

    /** All files. */
    Set<String> paths() {
        return new TreeSet<>(files.keySet());
    }

    Set<String> pathsOf(Process writer) {
        Set<String> paths = new TreeSet<>();
        files.forEach((path, file) -> {
            if (file.writer == writer) {
                paths.add(path);
            }
        });
        return paths;
    }

    /** Files in the order in which they were made, which does not depend on names that are drawn by Flink. */
    List<String> byAge(Set<String> paths) {
        return paths.stream()
                .sorted(Comparator.comparingLong(path -> files.get(path).number))
                .toList();
    }

    /** Files that were finished ahead of a checkpoint. */
    long aheadStored() {
        return aheadStored;
    }

    /** From now on that is what is done; returns what was before. */
    Role enter(Role next) {
        Role before = role;
        role = next;
        return before;
    }

    /** Directories that were listed so far. */
    long listings() {
        return listings;
    }

    /** Deletes a directory with all that is in it, as far as that can be deleted. */
    void deleteAll(Path directory) {
        for (String name : within(name(directory))) {
            try {
                delete(new Path(SCHEME, "storage", name), false);
            } catch (IOException e) {
                // It is among those that are not deleted.
                continue;
            }
        }
    }

    /** Whether a file was uploaded ahead of a checkpoint. */
    boolean isAhead(String path) {
        StoredFile file = files.get(path);
        return file != null && file.ahead;
    }

    boolean has(String path) {
        return files.containsKey(path);
    }

    /** Files that somebody tried to delete without success. */
    Set<String> undeleted() {
        return undeleted;
    }

    /** Files that were deleted although they are in use. */
    List<String> deletedInUse() {
        return deletedInUse;
    }

    /** Changes a bit, drawn from the given number; returns how to undo it. */
    Runnable flip(String path, long draw) {
        StoredFile file = files.get(path);
        long bit = Long.remainderUnsigned(draw, 8L * file.length);
        file.bytes[(int) (bit >>> 3)] ^= (byte) (1 << (bit & 7));
        return () -> file.bytes[(int) (bit >>> 3)] ^= (byte) (1 << (bit & 7));
    }

    /** Cuts a file to a length below its own, drawn from the given number; returns how to undo it. */
    Runnable cut(String path, long draw) {
        StoredFile file = files.get(path);
        int length = file.length;
        file.length = (int) Long.remainderUnsigned(draw, length);
        return () -> file.length = length;
    }

    /** The longest of the given files. */
    String longest(List<String> paths) {
        return paths.stream()
                .max(Comparator.comparingInt(path -> files.get(path).length))
                .orElseThrow();
    }

    /** From now on a file cannot be read, or can. */
    void unreadable(String path, boolean is) {
        if (is) {
            unreadable.add(path);
        } else {
            unreadable.remove(path);
        }
    }

    /** Loses a file; returns how to undo it. */
    Runnable lose(String path) {
        StoredFile file = files.remove(path);
        return () -> files.put(path, file);
    }

    /** Bytes of all files. */
    long bytes() {
        return bytes;
    }

    /**
     * A number that other contents do not have, whatever their names are; without manifests and files of single
     * checkpoints, which name backends by ids that are not the seed's.
     */
    long digest() {
        long digest = created;
        for (String path : byAge(files.keySet())) {
            StoredFile file = files.get(path);
            digest = Hash.combine(digest, file.number << 32 | file.length);
            if (path.contains("/shared/") && !isManifest(file)) {
                for (int i = 0; i < file.length; i++) {
                    digest = 31 * digest + file.bytes[i];
                }
            }
        }
        return digest;
    }

    private static boolean isManifest(StoredFile file) {
        byte[] magic = MANIFEST_BEGIN.getBytes(StandardCharsets.ISO_8859_1);
        return file.length >= magic.length && Arrays.equals(file.bytes, 0, magic.length, magic, 0, magic.length);
    }

    private boolean fails(StoredFile file) {
        return file.chance.nextInt(PER_MILLE) < faultsPerMille;
    }

    private void io(Process caller) throws IOException {
        if (caller.isDead()) {
            throw new IOException("the process is dead");
        }
    }

    /** Only Drey's own streams are nobody's to wait for meanwhile: Flink's have locks. */
    private static boolean isNamed(Path path) {
        return SharedName.parse(path.getName()) != null;
    }

    private static String name(Path path) {
        return path.toUri().getPath();
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        Process caller = process;
        boolean named = isNamed(path);
        if (named) {
            Coroutine.pause();
        }
        io(caller);
        StoredFile file = new StoredFile(path, seed, created++, caller, role == Role.ROUND);
        file.modifiedMs = EPOCH_MS + millis.getAsLong();
        if (fails(file)) {
            writesFailed++;
            throw new IOException(FAULT + ": create " + path);
        }
        if (files.putIfAbsent(name(path), file) != null) {
            throw new IOException("expected a new file, found " + path + " in the storage");
        }
        return new Output(file, caller, named);
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
        if (path.getName().equals(AbstractFsCheckpointStorageAccess.METADATA_FILE_NAME)) {
            Coroutine.pause();
        }
        io(process);
        if (!has(name(path))) {
            throw new FileNotFoundException(path + " is not in the storage");
        }
        return new Input(path, files.get(name(path)));
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return open(path);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        Process caller = process;
        io(caller);
        StoredFile file = files.get(name(path));
        if (file == null) {
            // Of what was to be deleted before, everybody knows.
            if (!recursive && !undeleted.containsAll(within(name(path)))) {
                throw new IOException(path + " is not empty, there are " + within(name(path)));
            }
            return false;
        }
        if (fails(file)) {
            deletesFailed++;
            undeleted.add(name(path));
            throw new IOException(FAULT + ": delete " + path);
        }
        if (inUse.test(name(path)) || (role == Role.JANITOR && kept.test(name(path)))) {
            deletedInUse.add(name(path));
        }
        cleaned += role == Role.JANITOR ? 1 : 0;
        aheadDeleted += file.ahead ? 1 : 0;
        files.remove(name(path));
        bytes -= file.length;
        undeleted.remove(name(path));
        return true;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        String name = name(path);
        if (files.containsKey(name)) {
            return status(name);
        }
        if (within(name).isEmpty()) {
            throw new FileNotFoundException(path + " is not in the storage");
        }
        return StoredStatus.directory(path);
    }

    /** Without an exception for what is not there. */
    @Override
    public boolean exists(Path path) {
        String name = name(path);
        return files.containsKey(name) || !within(name).isEmpty();
    }

    private FileStatus status(String name) {
        StoredFile file = files.get(name);
        return new StoredStatus(file.path, file.length, file.modifiedMs, false);
    }

    /** All files below a directory. */
    private List<String> within(String directory) {
        String prefix = directory + "/";
        List<String> names = new ArrayList<>();
        for (String name : files.tailMap(prefix).keySet()) {
            if (!name.startsWith(prefix)) {
                break;
            }
            names.add(name);
        }
        return names;
    }

    @Override
    public Path getWorkingDirectory() {
        return new Path(ROOT);
    }

    @Override
    public Path getHomeDirectory() {
        return new Path(ROOT);
    }

    @Override
    public URI getUri() {
        return ROOT;
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) {
        return new BlockLocation[0];
    }

    @Override
    public FileStatus[] listStatus(Path directory) throws IOException {
        Coroutine.pause();
        io(process);
        listings++;
        if (listChance.nextInt(PER_MILLE) < faultsPerMille) {
            listsFailed++;
            throw new IOException(FAULT + ": list " + directory);
        }
        String prefix = name(directory) + "/";
        Map<String, FileStatus> found = new TreeMap<>();
        for (String name : within(name(directory))) {
            int end = name.indexOf('/', prefix.length());
            if (end < 0) {
                found.put(name, status(name));
            } else {
                String inside = name.substring(0, end);
                found.computeIfAbsent(inside, absent -> StoredStatus.directory(new Path(SCHEME, "storage", inside)));
            }
        }
        if (found.isEmpty()) {
            throw new FileNotFoundException(directory + " is not in the storage");
        }
        return found.values().toArray(FileStatus[]::new);
    }

    @Override
    public boolean mkdirs(Path path) {
        return true;
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        throw new IOException("expected nobody to rename " + source);
    }

    @Override
    public boolean isDistributedFS() {
        return true;
    }

    private final class Output extends FSDataOutputStream {
        private final StoredFile file;
        private final Process caller;
        private final boolean named;

        Output(StoredFile file, Process caller, boolean named) {
            this.file = file;
            this.caller = caller;
            this.named = named;
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            int most = named ? PART_BYTES : length;
            for (int at = 0; at < length; at += most) {
                if (named) {
                    Coroutine.pause();
                }
                writePart(source, offset + at, Math.min(most, length - at));
            }
        }

        private void writePart(byte[] source, int offset, int length) throws IOException {
            io(caller);
            boolean fails = fails(file);
            int written = fails ? file.chance.nextInt(length + 1) : length;
            if (file.bytes.length < file.length + written) {
                file.bytes = Arrays.copyOf(file.bytes, 2 * (file.length + written));
            }
            System.arraycopy(source, offset, file.bytes, file.length, written);
            file.length += written;
            file.modifiedMs = EPOCH_MS + millis.getAsLong();
            bytes += written;
            if (fails) {
                writesFailed++;
                writesTorn += written > 0 ? 1 : 0;
                throw new IOException(FAULT + ": write " + file.path);
            }
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public long getPos() {
            return file.length;
        }

        @Override
        public void flush() {}

        @Override
        public void sync() throws IOException {
            io(caller);
        }

        @Override
        public void close() throws IOException {
            io(caller);
            if (fails(file)) {
                writesFailed++;
                throw new IOException(FAULT + ": close " + file.path);
            }
            file.modifiedMs = EPOCH_MS + millis.getAsLong();
            aheadStored += file.ahead ? 1 : 0;
        }
    }

    private final class Input extends FSDataInputStream {
        private final Path path;
        private final StoredFile file;
        private int position;

        Input(Path path, StoredFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public void seek(long to) {
            position = (int) to;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (fails(file) || (!unreadable.isEmpty() && unreadable.contains(name(path)))) {
                readsFailed++;
                throw new IOException(FAULT + ": read " + path);
            }
            if (length == 0 || position >= file.length) {
                return length == 0 ? 0 : -1;
            }
            // As little as it likes.
            int count = Math.min(Math.min(length, file.length - position), 1 + file.chance.nextInt(600));
            System.arraycopy(file.bytes, position, into, offset, count);
            position += count;
            return count;
        }
    }
}
