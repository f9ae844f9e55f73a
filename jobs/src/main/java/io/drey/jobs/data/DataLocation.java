package io.drey.jobs.data;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the files of a data set are: in a directory, or on the class path beside these classes (the data set that ships
 * with Drey). It travels with the job, so that every task manager opens the same place.
 *
 * @param directory the directory, or null for the built-in data set
 */
public record DataLocation(String directory) implements Serializable {
    private static final String BUILT_IN = "/flights-2013/";

    /** The data set that ships with Drey. */
    public static DataLocation builtIn() {
        return new DataLocation(null);
    }

    /** The data set in a directory of the local file system. */
    public static DataLocation in(Path directory) {
        return new DataLocation(directory.toAbsolutePath().toString());
    }

    String nameOf(DataFile file) {
        return directory == null
                ? "(built in) " + file.fileName()
                : Path.of(directory, file.fileName()).toString();
    }

    /** Opens one file, still compressed; a file that is not there is an {@link InputException}. */
    InputStream open(DataFile file) throws IOException {
        if (directory == null) {
            InputStream stream = DataLocation.class.getResourceAsStream(BUILT_IN + file.fileName());
            if (stream == null) {
                throw InputException.missing(nameOf(file), "the jar of the jobs is incomplete, build it again.");
            }
            return stream;
        }
        Path path = Path.of(directory, file.fileName());
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw InputException.missing(
                    nameOf(file), "a data set needs flights.csv.gz, weather.csv.gz and planes.csv.gz.");
        }
        return Files.newInputStream(path);
    }

    /** Changes when a file does, so that a cached data set is not taken for a changed one. */
    String stamp() throws IOException {
        if (directory == null) {
            return "built-in";
        }
        StringBuilder stamp = new StringBuilder(directory);
        for (DataFile file : DataFile.values()) {
            Path path = Path.of(directory, file.fileName());
            if (Files.exists(path)) {
                stamp.append('|').append(Files.size(path)).append('@').append(Files.getLastModifiedTime(path));
            }
        }
        return stamp.toString();
    }
}
