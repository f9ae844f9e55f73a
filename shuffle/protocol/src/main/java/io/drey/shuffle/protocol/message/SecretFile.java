package io.drey.shuffle.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file with the secret of a cluster, as workers, clients and commands are given it. */
public final class SecretFile {
    private SecretFile() {}

    /**
     * The secret; null if no file is given.
     *
     * @throws IOException with a sentence if there is none in the file: that is no cluster without a secret
     */
    public static String read(Path file) throws IOException {
        if (file == null) {
            return null;
        }
        String secret;
        try {
            secret = Files.readString(file, UTF_8).strip();
        } catch (IOException e) {
            throw new IOException("expected the secret of the cluster in a file that can be read, found " + file, e);
        }
        if (secret.isEmpty()) {
            throw new IOException("expected the secret of the cluster in " + file + ", found an empty file: without a"
                    + " secret the option is left out");
        }
        return secret;
    }
}
