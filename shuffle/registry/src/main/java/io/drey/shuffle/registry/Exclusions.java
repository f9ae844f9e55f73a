package io.drey.shuffle.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Membership.Exclude;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Workers that operators excluded, and why. As text it is a line of {@code #} and its number, then a line of each
 * worker's id and the reason. Immutable.
 *
 * @param number higher than that of the list before; 0 if it has none
 */
public record Exclusions(long number, Map<UUID, String> reasons) {
    /** Nobody is excluded. */
    public static final Exclusions NONE = new Exclusions(0, Map.of());

    /** Workers that can be excluded at the same time. */
    private static final int EXCLUSIONS_MAX = 4096;

    /** Reads what is in a file. */
    public static Exclusions parse(byte[] bytes, Path file) {
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new DreyException(
                    "expected text in " + file + ", found bytes that are not UTF-8: correct it, or delete the file and"
                            + " exclude workers again",
                    e);
        }
        long number = 0;
        Map<UUID, String> reasons = new TreeMap<>();
        for (String line : text.lines().filter(each -> !each.isBlank()).toList()) {
            String[] parts = line.split(" ", 2);
            try {
                if (parts[0].equals("#")) {
                    number = Long.parseLong(parts[1]);
                } else {
                    reasons.put(UUID.fromString(parts[0]), parts.length == 2 ? parts[1] : "");
                }
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new DreyException(
                        "expected a worker's id and a reason in a line of " + file + ", found '" + line
                                + "': correct the line, or delete the file and exclude workers again",
                        e);
            }
        }
        return new Exclusions(number, Map.copyOf(reasons));
    }

    /**
     * The list after a change. Its number is the time where that is higher: of two that came of one, each where the
     * other could not be read, it tells which is newer.
     */
    Exclusions with(Exclude change, long nowMs) {
        Map<UUID, String> changed = new TreeMap<>(reasons);
        if (change.excluded()) {
            changed.put(change.worker(), change.reason().replaceAll("\\p{Cntrl}", " "));
        } else {
            changed.remove(change.worker());
        }
        if (changed.size() > EXCLUSIONS_MAX) {
            throw new ProtocolException("expected at most " + EXCLUSIONS_MAX
                    + " excluded workers, found more: include those that are no more");
        }
        return new Exclusions(Math.max(number + 1, nowMs), Map.copyOf(changed));
    }

    /** What {@link #parse} reads. */
    public byte[] bytes() {
        StringBuilder text = new StringBuilder("# " + number + "\n");
        new TreeMap<>(reasons)
                .forEach((id, why) -> text.append(id).append(' ').append(why).append('\n'));
        return text.toString().getBytes(UTF_8);
    }
}
