package io.drey.cli.inspect.file;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A path with what it leads to.
 *
 * @param path of a snapshot its directory
 */
public record InspectedPath(Form form, Path path) {
    private static final String METADATA = "_metadata";
    private static final Pattern CHECKPOINT = Pattern.compile("chk-(\\d{1,18})");

    /** Slashes of its begin are one in a path. */
    private static final Pattern ADDRESS = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(/.*)");

    /** A form of what can be looked into. */
    public enum Form {
        SNAPSHOT,
        LOCAL_DIRECTORY,
        FILE
    }

    /**
     * Finds out what is at a path; a directory of checkpoints stands for the newest of them.
     *
     * @throws IOException whose message is a sentence, if it is nothing that can be looked into
     */
    public static InspectedPath of(Path given) throws IOException {
        Path path = local(given).toAbsolutePath().normalize();
        if (!Files.exists(path)) {
            throw new IOException("There is nothing at " + path + ".");
        }
        if (Files.isRegularFile(path)) {
            return FileKind.of(path) == FileKind.FLINK_METADATA
                    ? new InspectedPath(Form.SNAPSHOT, path.getParent())
                    : file(path);
        }
        if (Files.exists(path.resolve(METADATA))) {
            return new InspectedPath(Form.SNAPSHOT, path);
        }
        List<Path> all = all(path);
        List<Path> complete = complete(all);
        if (!complete.isEmpty()) {
            return new InspectedPath(Form.SNAPSHOT, complete.get(complete.size() - 1));
        }
        if (number(path) >= 0 || !all.isEmpty()) {
            throw new IOException("Checkpoint " + (number(path) >= 0 ? path : all.get(all.size() - 1))
                    + " is incomplete: it has no _metadata. It is under way, was aborted, or is being deleted.");
        }
        if (!LocalFiles.directories(path).isEmpty()) {
            return new InspectedPath(Form.LOCAL_DIRECTORY, path);
        }
        throw new IOException("Directory " + path + " holds nothing that can be looked into: expected _metadata, chk-N"
                + " directories, or files of a store of Drey.");
    }

    /**
     * What is given, or the path that it is the address of, as Flink prints it ({@code file:/a b}) or escaped.
     *
     * @throws IOException whose message is a sentence, if it is an address elsewhere
     */
    public static Path local(Path given) throws IOException {
        Matcher address = ADDRESS.matcher(given.toString());
        if (!address.matches() || Files.exists(given)) {
            return given;
        }
        String scheme = address.group(1);
        if (!scheme.equalsIgnoreCase("file")) {
            throw new IOException("Only local files can be looked into, and what begins with " + scheme
                    + ": is none: copy it to a local path first.");
        }
        Path plain = Path.of(address.group(2));
        try {
            return Files.exists(plain) ? plain : Path.of(URI.create("file:" + plain));
        } catch (IllegalArgumentException e) {
            return plain;
        }
    }

    private static InspectedPath file(Path path) throws IOException {
        if (FileKind.of(path) == null) {
            throw new IOException(FileKind.foreign(path));
        }
        return new InspectedPath(Form.FILE, path);
    }

    /** The completed checkpoints in a job's directory, oldest first. */
    public static List<Path> checkpoints(Path directory) throws IOException {
        return complete(all(directory));
    }

    private static List<Path> complete(List<Path> checkpoints) {
        return checkpoints.stream()
                .filter(each -> Files.exists(each.resolve(METADATA)))
                .toList();
    }

    private static List<Path> all(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> number(entry) >= 0)
                    .sorted(Comparator.comparingLong(InspectedPath::number))
                    .toList();
        }
    }

    private static long number(Path path) {
        Matcher matcher = CHECKPOINT.matcher(String.valueOf(path.getFileName()));
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }
}
