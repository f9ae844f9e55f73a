package io.drey.cli.inspect;

import java.nio.charset.Charset;

/** A name of a directory with all that is escaped in an address, as far as file names here may have it. */
public final class OddName {
    private OddName() {}

    public static String text() {
        Charset names = Charset.forName(System.getProperty("sun.jnu.encoding"));
        return "my 100%41 save#p" + (names.newEncoder().canEncode('\u00F6') ? "\u00F6" : "o") + "int";
    }
}
