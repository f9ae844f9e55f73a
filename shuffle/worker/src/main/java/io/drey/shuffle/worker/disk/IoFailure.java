package io.drey.shuffle.worker.disk;

import java.util.List;
import java.util.Locale;

/**
 * Tells the kinds of failed I/O apart, by the system's words: Java has no types for them. The script {@code drey} starts
 * workers so that they are English.
 */
public enum IoFailure {
    /** No space, or no more of it for this user: others, or a later time, may do. */
    FULL,
    /** The process has no more file handles or memory, and may have some later. */
    PROCESS,
    /** The disk is broken, as far as can be seen. */
    DISK;

    /** By glibc and by musl. */
    private static final List<String> PROCESS_WORDS =
            List.of("too many open files", "cannot allocate memory", "no file descriptors available", "out of memory");

    public static IoFailure of(Throwable cause) {
        if (cause instanceof Error) {
            return PROCESS;
        }
        String said = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (said.contains("no space left") || said.contains("quota exceeded")) {
            return FULL;
        }
        return PROCESS_WORDS.stream().anyMatch(said::contains) ? PROCESS : DISK;
    }
}
