package io.drey.cli.shuffle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Options of a worker from its configuration file, lines {@code key: value}, and from the command line over it. */
public final class WorkerConfig {
    /** What keys begin with; it may be left out. */
    private static final String PREFIX = "drey.shuffle.";

    private WorkerConfig() {}

    /** @param file may be null */
    public static Map<String, String> read(Path file, Map<String, String> over) throws CommandException {
        Map<String, String> options = new TreeMap<>();
        if (file != null) {
            Properties properties = new Properties();
            try (Reader in = Files.newBufferedReader(file, UTF_8)) {
                properties.load(in);
            } catch (IOException e) {
                throw unread(file, DirectoryFailure.unread(e), e);
            } catch (IllegalArgumentException e) {
                throw unread(file, e.getMessage(), e);
            }
            properties.forEach((key, value) -> options.put(plain(key.toString()), value.toString()));
        }
        over.forEach((key, value) -> options.put(plain(key), value));
        return options;
    }

    private static CommandException unread(Path file, String why, Exception cause) {
        return new CommandException("The configuration " + file + " cannot be read: " + why + ".", cause);
    }

    private static String plain(String key) {
        return key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key;
    }
}
