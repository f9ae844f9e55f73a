package io.drey.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The resident size of this process, where the operating system tells it in {@code /proc}. */
final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    private ProcessMemory() {}

    /** The largest resident size so far, in bytes; empty where it is not known. */
    static OptionalLong peakResidentBytes() {
        if (!Files.isReadable(STATUS)) {
            return OptionalLong.empty();
        }
        try {
            for (String line : Files.readAllLines(STATUS)) {
                Matcher matcher = PEAK.matcher(line);
                if (matcher.matches()) {
                    return OptionalLong.of(Long.parseLong(matcher.group(1)) * 1024);
                }
            }
            return OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
