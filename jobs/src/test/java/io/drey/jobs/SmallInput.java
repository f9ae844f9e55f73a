package io.drey.jobs;

import io.drey.jobs.data.DataLocation;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** The first weeks of the built-in data set as a directory of its own. */
public final class SmallInput {
    private SmallInput() {}

    /** Copies the first flights, the weather of January and the planes. */
    public static DataLocation create(Path directory, int flights) throws IOException {
        copy("flights.csv.gz", directory, flights + 1, line -> true);
        copy(
                "weather.csv.gz",
                directory,
                Integer.MAX_VALUE,
                line -> line.contains(",2013-01-") || line.contains("origin"));
        copy("planes.csv.gz", directory, Integer.MAX_VALUE, line -> true);
        return DataLocation.in(directory);
    }

    private static void copy(String file, Path directory, int lines, Predicate<String> keep) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                        new GZIPInputStream(SmallInput.class.getResourceAsStream("/flights-2013/" + file)),
                        StandardCharsets.UTF_8));
                BufferedWriter out = new BufferedWriter(new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(directory.resolve(file))),
                        StandardCharsets.UTF_8))) {
            int copied = 0;
            String line = in.readLine();
            while (line != null && copied++ < lines) {
                if (keep.test(line)) {
                    out.write(line);
                    out.write('\n');
                }
                line = in.readLine();
            }
        }
    }
}
