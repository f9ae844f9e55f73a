package io.drey.cli.doctor.host;

import io.drey.cli.terminal.Sentence;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.apache.flink.runtime.state.StateBackendLoader;

/** Reads a directory with Flink's configuration, and asks the state backend what it thinks of its options. */
public final class ConfigReader {
    private static final String OPTIONS_OF_DREY = "io.drey.flink.state.options.DreyOptions";
    private static final String PREFIX = "state.backend.drey.";

    private ConfigReader() {}

    /** The configuration in a directory. */
    public static ConfigFacts read(Path directory) throws IOException {
        if (!Files.exists(directory.resolve("config.yaml"))) {
            throw new IOException("There is no config.yaml in " + directory + ": expected a directory conf of Flink.");
        }
        try {
            Configuration config = GlobalConfiguration.loadConfiguration(directory.toString());
            return ConfigFacts.of(config, wrong(config));
        } catch (RuntimeException e) {
            throw new IOException(
                    Sentence.ended("The configuration in " + directory + " cannot be read: " + e.getMessage()), e);
        }
    }

    private static String wrong(Configuration config) {
        Set<String> unknown = new TreeSet<>();
        Set<String> known = known();
        for (String key : config.keySet()) {
            if (key.startsWith(PREFIX) && !known.contains(key)) {
                unknown.add(key);
            }
        }
        if (!unknown.isEmpty()) {
            return "unknown option " + String.join(", ", unknown);
        }
        try {
            StateBackendLoader.loadStateBackendFromConfig(config, ConfigReader.class.getClassLoader(), null);
            return null;
        } catch (IllegalConfigurationException | IOException e) {
            return e.getMessage();
        } catch (Exception e) {
            return "the state backend cannot be loaded: " + e.getMessage();
        }
    }

    /** The keys of Drey's options: the backend is reached by name only, as Flink does. */
    private static Set<String> known() {
        Set<String> keys = new TreeSet<>();
        try {
            for (Field field : Class.forName(OPTIONS_OF_DREY).getFields()) {
                if (field.get(null) instanceof ConfigOption<?> option) {
                    keys.add(option.key());
                }
            }
            return keys;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("expected " + OPTIONS_OF_DREY + " on the class path", e);
        }
    }
}
