package io.drey.checkpoint.retention;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.foundation.Hash;
import java.io.IOException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A small file beside shared files that says: checkpoints in another directory list some of these. A job writes it
 * before its first checkpoint that lists files of another job's directory, as it may after a restore in mode CLAIM.
 * Nothing deletes it: it is small, and the files it speaks for are not.
 *
 * @param directory the directory of the checkpoints that list them
 */
public record Claim(String directory) {
    static final int BYTES_MAX = 16 << 10;

    private static final String PREFIX = "drey-claim-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f]{16}");
    private static final String FIRST_LINE = "drey claim 1\n";

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** The same for all that write it; by a hash that every JVM has, as one with FIPS rules may lack MD5. */
    public String name() {
        byte[] path = directory.getBytes(UTF_8);
        return PREFIX + HexFormat.of().toHexDigits(Hash.hash(path, 0, path.length, 0));
    }

    public byte[] bytes() {
        return (FIRST_LINE + directory + "\n").getBytes(UTF_8);
    }

    static Claim parse(byte[] bytes) throws IOException {
        String text = new String(bytes, UTF_8);
        int end = text.indexOf('\n', FIRST_LINE.length());
        if (!text.startsWith(FIRST_LINE) || end <= FIRST_LINE.length() || end != text.length() - 1) {
            throw new IOException("expected 'drey claim 1' and the path of a directory, found " + bytes.length
                    + " bytes of something else");
        }
        return new Claim(text.substring(FIRST_LINE.length(), end));
    }
}
