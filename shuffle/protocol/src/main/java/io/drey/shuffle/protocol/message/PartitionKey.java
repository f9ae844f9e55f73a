package io.drey.shuffle.protocol.message;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.drey.foundation.Hash;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import io.drey.shuffle.protocol.frame.ProtocolException;

/**
 * The name of one attempt at a partition. It names files, so its texts hold letters, digits, '-' and '_' only.
 *
 * @param job the job's id
 * @param exchange the id of the data set
 * @param partition which of its partitions
 * @param attempt tells apart the attempts at it, over all restarts of whoever gives them
 */
public record PartitionKey(String job, String exchange, int partition, long attempt) implements Body {
    public static final int NAME_CHARS_MAX = 64;

    private static final String LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";

    public PartitionKey {
        checkName("a job", job);
        checkName("an exchange", exchange);
        if (partition < 0) {
            throw new ProtocolException("expected a partition >= 0, found " + partition);
        }
    }

    /** Refuses a name that could be anything but the name of one file. */
    public static String checkName(String what, String name) {
        boolean sound = !name.isEmpty() && name.length() <= NAME_CHARS_MAX;
        for (int i = 0; sound && i < name.length(); i++) {
            char each = name.charAt(i);
            sound = LETTERS.indexOf(each) >= 0;
        }
        if (!sound) {
            throw new ProtocolException("expected the id of " + what + " in 1 to " + NAME_CHARS_MAX
                    + " letters, digits, '-' and '_', found '" + printable(name) + "'");
        }
        return name;
    }

    private static String printable(String name) {
        String shown = name.length() > NAME_CHARS_MAX ? name.substring(0, NAME_CHARS_MAX) + "..." : name;
        return shown.replaceAll("[^\\x20-\\x7e]", "?");
    }

    /** The seed of the checksums of its blocks. */
    public long seed() {
        return text(exchange, text(job, partition) ^ attempt);
    }

    private static long text(String text, long seed) {
        byte[] bytes = text.getBytes(US_ASCII);
        return Hash.hash(bytes, 0, bytes.length, seed);
    }

    @Override
    public void write(FieldWriter out) {
        out.text(1, job).text(2, exchange).number(3, partition).number(4, attempt);
    }

    public static PartitionKey read(FieldReader in) {
        String job = null;
        String exchange = null;
        int partition = 0;
        long attempt = 0;
        for (int tag = in.next(); tag >= 0; tag = in.next()) {
            switch (tag) {
                case 1 -> job = in.text(NAME_CHARS_MAX);
                case 2 -> exchange = in.text(NAME_CHARS_MAX);
                case 3 -> partition = in.number(0, Integer.MAX_VALUE);
                case 4 -> attempt = in.number();
                default -> {}
            }
        }
        return new PartitionKey(in.required(job, "job"), in.required(exchange, "exchange"), partition, attempt);
    }

    @Override
    public String toString() {
        return "partition " + partition + " of exchange " + exchange + " of job " + job + ", attempt "
                + Long.toHexString(attempt);
    }
}
