package io.drey.shuffle.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.foundation.DreyException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Workers that operators excluded, and why: a text file of a line each, the worker's id and the reason. */
final class ExclusionFile {
    /** Workers that can be excluded at the same time. */
    private static final int EXCLUSIONS_MAX = 4096;

    private final Path file;
    private final Map<UUID, String> reasons = new TreeMap<>();

    /** Reads the file, if there is one. */
    ExclusionFile(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            for (String line : lines()) {
                if (!line.isBlank()) {
                    read(line);
                }
            }
        }
    }

    private List<String> lines() throws IOException {
        try {
            return Files.readAllLines(file, UTF_8);
        } catch (CharacterCodingException e) {
            throw new DreyException(
                    "expected text in " + file + ", found bytes that are not UTF-8: correct it, or delete the file and"
                            + " exclude workers again",
                    e);
        }
    }

    private void read(String line) {
        String[] parts = line.split(" ", 2);
        try {
            reasons.put(UUID.fromString(parts[0]), parts.length == 2 ? parts[1] : "");
        } catch (IllegalArgumentException e) {
            throw new DreyException(
                    "expected a worker's id and a reason in a line of " + file + ", found '" + line
                            + "': correct the line, or delete the file and exclude workers again",
                    e);
        }
    }

    /** Why a worker is excluded; null if it is not. */
    String reason(UUID worker) {
        return reasons.get(worker);
    }

    /** Excludes a worker for a reason, or includes it if that is null; the file is complete before it counts. */
    void set(UUID worker, String reason) throws IOException {
        Map<UUID, String> changed = new TreeMap<>(reasons);
        if (reason == null) {
            changed.remove(worker);
        } else {
            changed.put(worker, reason.replaceAll("\\p{Cntrl}", " "));
        }
        if (changed.size() > EXCLUSIONS_MAX) {
            throw new IOException("expected at most " + EXCLUSIONS_MAX
                    + " excluded workers, found more: include those that are no more");
        }
        List<String> lines = new ArrayList<>();
        changed.forEach((id, why) -> lines.add(id + " " + why));
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.write(draft, lines, UTF_8);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        reasons.clear();
        reasons.putAll(changed);
    }
}
