package io.drey.cli.terminal;

import io.drey.bench.format.Quantity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** Sentences for a directory that cannot be used: which one, why, and the option that names another. */
public final class DirectoryFailure {
    /** How the operating system and Java say it. */
    private static final String FULL = "No space left on device";

    /** A disk with less is full: what failed had to write more. */
    private static final long FULL_BYTES_MAX = 16 << 20;

    private DirectoryFailure() {}

    /** The sentence for a directory that cannot be made, or in which nothing can be made. */
    public static String unusable(Path directory, String option, IOException failure) {
        return "The directory " + directory + " cannot be used: " + why(failure) + ". Name another one with " + option
                + ".";
    }

    /** Why a directory, or a file in it, cannot be made, as a part of a sentence. */
    public static String why(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "its directory does not exist";
        }
        if (failure instanceof AccessDeniedException denied) {
            return "permission denied at " + denied.getFile();
        }
        if (failure instanceof FileAlreadyExistsException exists) {
            return exists.getFile() + " is a file";
        }
        if (failure instanceof FileSystemException place && place.getReason() != null) {
            return place.getReason() + " at " + place.getFile();
        }
        return String.valueOf(failure.getMessage());
    }

    /** Why a file cannot be read, as a part of a sentence: of some failures Java's message is the path alone. */
    public static String unread(IOException failure) {
        return failure instanceof NoSuchFileException ? "there is no such file" : why(failure);
    }

    /**
     * The sentence for a full disk, or null if something else failed.
     *
     * @param places what was written to, by the option that names it
     */
    public static String full(Throwable failure, Map<String, Path> places) {
        if (!saysFull(failure)) {
            return null;
        }
        String fullest = null;
        long least = Long.MAX_VALUE;
        for (String option : places.keySet()) {
            long usable = usableBytes(places.get(option));
            if (usable < least) {
                least = usable;
                fullest = option;
            }
        }
        if (least > FULL_BYTES_MAX) {
            return null;
        }
        return "The disk of " + places.get(fullest) + " is full, " + (least >> 10)
                + " KB are left: name a directory on another disk with " + fullest + ".";
    }

    /** What the disk of a directory has left, as a part of a sentence; empty if nobody knows. */
    public static String left(Path directory) {
        long usable = usableBytes(directory);
        return usable == Long.MAX_VALUE ? "" : ", whose disk has " + Quantity.size(usable) + " left";
    }

    private static boolean saysFull(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).contains(FULL)) {
                return true;
            }
        }
        return false;
    }

    /** Of the nearest directory that is there. */
    private static long usableBytes(Path place) {
        Path there = place.toAbsolutePath();
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            return there == null ? Long.MAX_VALUE : Files.getFileStore(there).getUsableSpace();
        } catch (IOException e) {
            // Then it is not known that this one is full.
            return Long.MAX_VALUE;
        }
    }
}
