package io.drey.cli.format;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 64m}, {@code 128mb}, {@code 1g}: a number of bytes. */
public final class BytesConverter implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}) ?([kmg])b?");

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("expected a size like 64m, 128mb or 1g, found '" + text + "'");
        }
        int shift = switch (matcher.group(2)) {
            case "k" -> 10;
            case "m" -> 20;
            default -> 30;
        };
        return Long.parseLong(matcher.group(1)) << shift;
    }
}
