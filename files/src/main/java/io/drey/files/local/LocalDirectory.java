package io.drey.files.local;

import io.drey.files.Directory;
import io.drey.files.FileNames;
import io.drey.files.ReadableFile;
import io.drey.files.SparseFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A directory of the local file system. Reads and writes go through positional channel calls into the caller's buffer:
 * buffers outside the heap are filled without a copy. Interrupted threads finish their call and keep their interrupt
 * flag; what they interrupt does not disturb other users of the file ({@link SteadyChannel}).
 *
 * <p>With direct I/O they go past the page cache instead, through aligned buffers ({@link BounceBuffers}); the last
 * block of a file, if it is not whole, is written through the page cache. What a file holds, others see when it is
 * closed.
 */
public final class LocalDirectory implements Directory {
    /** Names of file systems that are in the network, or may be shared by several machines. */
    private static final Pattern NETWORK =
            Pattern.compile("(nfs|cifs|smb|fuse$|fuse[.]|ceph|gluster|lustre|gpfs|9p|virtiofs|beegfs|afs).*");

    private final Path path;

    /** Null if reads and writes go through the page cache. */
    private final DirectIo direct;

    private LocalDirectory(Path path, DirectIo direct) {
        this.path = path;
        this.direct = direct;
    }

    /** Uses the directory at {@code path}, and creates it if it is not there. */
    public static LocalDirectory at(Path path) throws IOException {
        make(path);
        return new LocalDirectory(path.toAbsolutePath(), null);
    }

    /** The same with direct I/O; throws if the file system there does not do it. */
    public static LocalDirectory direct(Path path) throws IOException {
        make(path);
        return new LocalDirectory(path.toAbsolutePath(), DirectIo.at(path.toAbsolutePath()));
    }

    /** Makes it if it is not there. Before 17.0.14, Java takes a link to a directory for something in its place. */
    static Path make(Path path) throws IOException {
        return Files.isDirectory(path) ? path : Files.createDirectories(path);
    }

    /** Whether a file system is in the network, by the name of its type as the system says it. */
    public static boolean isInNetwork(String type) {
        return NETWORK.matcher(type).matches();
    }

    /** Makes a hard link to a file; false if there can be none, as on another file system: then there is nothing. */
    public static boolean link(Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
            return true;
        } catch (UnsupportedOperationException | IOException e) {
            Files.deleteIfExists(target);
            return false;
        }
    }

    public Path path() {
        return path;
    }

    /** Where the file of that name is, or would be. */
    public Path path(String name) {
        return path.resolve(FileNames.check(name));
    }

    @Override
    public WritableFile create(String name) throws IOException {
        Path file = path(name);
        ChannelSource again = () -> FileChannel.open(file, StandardOpenOption.WRITE);
        if (direct == null) {
            ChannelSource first = () -> openNew(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            return new LocalWritableFile(name, file.toString(), firstThen(first, again), ignored -> syncEntry());
        }
        ChannelSource first =
                () -> openNew(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, DirectIo.OPTION);
        ChannelSource directAgain = () -> FileChannel.open(file, StandardOpenOption.WRITE, DirectIo.OPTION);
        return new DirectWritableFile(
                name, file.toString(), direct, firstThen(first, directAgain), again, ignored -> syncEntry());
    }

    /** Through the page cache in any case: it is written once, and direct reads see what is there. */
    @Override
    public SparseFile createSparse(String name, long bytes) throws IOException {
        Path file = path(name);
        ChannelSource first = () -> openNew(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        ChannelSource again = () -> FileChannel.open(file, StandardOpenOption.WRITE);
        return new LocalSparseFile(file.toString(), firstThen(first, again), bytes);
    }

    private static ChannelSource firstThen(ChannelSource first, ChannelSource again) {
        boolean[] opened = new boolean[1];
        return () -> {
            FileChannel channel = (opened[0] ? again : first).open();
            opened[0] = true;
            return channel;
        };
    }

    private FileChannel openNew(Path file, OpenOption... options) throws IOException {
        try {
            return FileChannel.open(file, options);
        } catch (FileAlreadyExistsException e) {
            throw FileNames.existing(describe(), file.getFileName().toString());
        }
    }

    /** Makes the names of new files survive too: that is the directory's own content. */
    private void syncEntry() throws IOException {
        try (FileChannel directory = FileChannel.open(path, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public ReadableFile open(String name) throws IOException {
        Path file = path(name);
        OpenOption[] options = direct == null
                ? new OpenOption[] {StandardOpenOption.READ}
                : new OpenOption[] {StandardOpenOption.READ, DirectIo.OPTION};
        ChannelSource source = () -> {
            try {
                return FileChannel.open(file, options);
            } catch (NoSuchFileException e) {
                throw FileNames.missing(describe(), name);
            } catch (FileSystemException e) {
                throw refused(file, e);
            }
        };
        return new LocalReadableFile(name, file.toString(), source, direct);
    }

    /** The system's words are in any language, and say nothing of what to do. */
    private static FileSystemException refused(Path file, FileSystemException cause) {
        FileSystemException told = new FileSystemException(
                file.toString(),
                null,
                "expected it to open, found " + cause + ": look at the disk, and at open files (ulimit -n)");
        told.initCause(cause);
        return told;
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(path(name));
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(path(name));
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                if (Files.isRegularFile(file)) {
                    names.add(file.getFileName().toString());
                }
            }
        }
        Collections.sort(names);
        return names;
    }

    @Override
    public long usableBytes() throws IOException {
        checkIsThere();
        return path.toFile().getUsableSpace();
    }

    /**
     * Size of the disk on which it lies. Not by {@link java.nio.file.FileStore}: for that Java reads all mounts of the
     * machine, and reporters ask often, for each operator.
     */
    public long diskBytes() throws IOException {
        checkIsThere();
        return path.toFile().getTotalSpace();
    }

    private void checkIsThere() throws IOException {
        if (!Files.isDirectory(path)) {
            throw new NoSuchFileException(path.toString(), null, "expected a directory: it was deleted");
        }
    }

    @Override
    public String describe() {
        return path.toString();
    }
}
