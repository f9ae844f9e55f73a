package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of files: job, exchange, partition-attempt.part; the attempt in 16 hexadecimal digits. They are the same in
 * every locale: some write numbers in digits of their own, which the next start would not know.
 */
final class PartNames {
    private static final Pattern NAME = Pattern.compile("(\\d{1,10})-([0-9a-f]{16})\\.(\\d{1,10})");

    /** The contents of a file's path. */
    record Name(PartitionKey key, int part) {}

    private PartNames() {}

    static Path path(Path directory, PartitionKey key, int part) {
        return directory
                .resolve(key.job())
                .resolve(key.exchange())
                .resolve(String.format(Locale.ROOT, "%d-%016x.%d", key.partition(), key.attempt(), part));
    }

    /** The name of a file, or null if it is none of ours. */
    static Name parse(Path file) {
        Matcher matcher = NAME.matcher(file.getFileName().toString());
        if (!matcher.matches()) {
            return null;
        }
        Path exchange = file.getParent();
        try {
            PartitionKey key = new PartitionKey(
                    exchange.getParent().getFileName().toString(),
                    exchange.getFileName().toString(),
                    Integer.parseInt(matcher.group(1)),
                    Long.parseUnsignedLong(matcher.group(2), 16));
            return new Name(key, Integer.parseInt(matcher.group(3)));
        } catch (NumberFormatException | ProtocolException e) {
            return null;
        }
    }
}
