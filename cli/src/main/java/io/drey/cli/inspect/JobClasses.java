package io.drey.cli.inspect;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The classes of a job, from its jars, behind those of Flink. */
public final class JobClasses {
    private JobClasses() {}

    /** A loader of jars and directories with the system's separator between them; null for none. */
    public static URLClassLoader of(String classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        if (classPath != null) {
            for (String part : classPath.split(File.pathSeparator)) {
                Path path = Path.of(part);
                if (!Files.exists(path)) {
                    throw new IOException("There is nothing at " + path + ", which --classpath names.");
                }
                urls.add(url(path));
            }
        }
        return new URLClassLoader("job", urls.toArray(URL[]::new), JobClasses.class.getClassLoader());
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toAbsolutePath().toUri().toURL();
    }
}
