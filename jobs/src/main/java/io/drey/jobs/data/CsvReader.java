package io.drey.jobs.data;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads one gzipped CSV file line by line and gives typed access to the fields of the current line. Everything that is
 * not as the file's header promises is an {@link InputException} with file, line, expected and found; there are no
 * quoted fields in these files, and a quote is refused.
 */
final class CsvReader implements Closeable {
    /** A value that is missing in an integer column. */
    static final int NA = Integer.MIN_VALUE;

    /** No line of these files comes near; a longer one is not one of them. */
    private static final int LINE_CHARS_MAX = 10_000;

    private static final int BUFFER_BYTES = 64 * 1024;

    private final String name;
    private final List<String> columns;
    private final String[] fields;
    private final BufferedReader reader;
    private long line;

    CsvReader(DataLocation location, DataFile file) throws IOException {
        name = location.nameOf(file);
        columns = file.columns();
        fields = new String[columns.size()];
        InputStream compressed = location.open(file);
        try {
            reader = new BufferedReader(
                    new InputStreamReader(
                            new GZIPInputStream(compressed, BUFFER_BYTES), StandardCharsets.UTF_8.newDecoder()),
                    BUFFER_BYTES);
        } catch (EOFException | ZipException e) {
            compressed.close();
            throw InputException.malformed(name, 1, "a gzip file", e.getMessage() == null ? "its end" : e.getMessage());
        }
        try {
            checkHeader(file);
        } catch (InputException e) {
            reader.close();
            throw e;
        }
    }

    private void checkHeader(DataFile file) throws IOException {
        String header = readLine();
        if (!file.header().equals(header)) {
            throw fail("the header " + file.header(), header == null ? "the end of the file" : header);
        }
    }

    /** Moves to the next line; false at the end of the file. */
    boolean next() throws IOException {
        String text = readLine();
        if (text == null) {
            return false;
        }
        split(text);
        return true;
    }

    private String readLine() throws IOException {
        line++;
        String text;
        try {
            text = reader.readLine();
        } catch (EOFException e) {
            throw InputException.malformed(name, line, "more data", "a truncated gzip file", e);
        } catch (ZipException e) {
            throw InputException.malformed(name, line, "valid gzip data", String.valueOf(e.getMessage()), e);
        } catch (CharacterCodingException e) {
            throw InputException.malformed(name, line, "text in UTF-8", "other bytes", e);
        }
        if (text != null && text.length() > LINE_CHARS_MAX) {
            throw fail("a line of at most " + LINE_CHARS_MAX + " characters", text.length() + " characters");
        }
        return text;
    }

    private void split(String text) throws InputException {
        if (text.indexOf('"') >= 0) {
            throw fail("fields without quotes", text);
        }
        int count = 0;
        int from = 0;
        while (true) {
            int comma = text.indexOf(',', from);
            if (count == fields.length) {
                throw fail(fields.length + " fields", "more in: " + text);
            }
            fields[count++] = comma < 0 ? text.substring(from) : text.substring(from, comma);
            if (comma < 0) {
                break;
            }
            from = comma + 1;
        }
        if (count != fields.length) {
            throw fail(fields.length + " fields", count + " in: " + text);
        }
    }

    long line() {
        return line;
    }

    /** A text that must not be empty. */
    String text(int column) throws InputException {
        String value = fields[column];
        if (value.isEmpty()) {
            throw fail("a value for " + columns.get(column), "nothing");
        }
        return value;
    }

    /** An integer within bounds, or {@link #NA}. */
    int integer(int column, int min, int max) throws InputException {
        String value = text(column);
        if (value.equals("NA")) {
            return NA;
        }
        int number;
        try {
            number = Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw fail("an integer or NA for " + columns.get(column), value);
        }
        if (number < min || number > max) {
            throw fail(columns.get(column) + " from " + min + " to " + max, value);
        }
        return number;
    }

    /** An integer within bounds that must be there. */
    int required(int column, int min, int max) throws InputException {
        int number = integer(column, min, max);
        if (number == NA) {
            throw fail("an integer for " + columns.get(column), "NA");
        }
        return number;
    }

    /** A decimal number; NaN if it is missing. */
    double decimal(int column) throws InputException {
        String value = text(column);
        if (value.equals("NA")) {
            return Double.NaN;
        }
        double number;
        try {
            number = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw fail("a number or NA for " + columns.get(column), value);
        }
        if (!Double.isFinite(number)) {
            throw fail("a finite number or NA for " + columns.get(column), value);
        }
        return number;
    }

    /** A UTC instant in seconds since 1970. */
    long instant(int column) throws InputException {
        String value = text(column);
        try {
            return Instant.parse(value).getEpochSecond();
        } catch (DateTimeParseException e) {
            throw fail("a time like 2013-01-01T10:00:00Z for " + columns.get(column), value);
        }
    }

    InputException fail(String expected, String found) {
        return InputException.malformed(name, line, expected, found);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
