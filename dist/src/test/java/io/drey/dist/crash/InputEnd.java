package io.drey.dist.crash;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Where the numbers end: a job that was killed again and again has passed nobody knows how many of them. A file asks for
 * the end; the source answers in another one, so that all tasks, also restarted ones, know the same.
 */
public final class InputEnd implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String asked;

    /** Asked for by a file that is not there yet. */
    public InputEnd(String asked) {
        this.asked = asked;
    }

    /** How many numbers there are: {@code passed} if the end is asked for just now, the largest there is before. */
    long numbers(long passed) throws IOException {
        if (!Files.exists(Path.of(asked))) {
            return Long.MAX_VALUE;
        }
        if (!Files.exists(answer())) {
            Path written = Files.writeString(Path.of(asked + ".new"), String.valueOf(passed));
            Files.move(written, answer(), StandardCopyOption.ATOMIC_MOVE);
        }
        return numbers();
    }

    /** How many numbers there were, when all have come. */
    public long numbers() throws IOException {
        return Long.parseLong(Files.readString(answer()));
    }

    private Path answer() {
        return Path.of(asked + ".answer");
    }
}
