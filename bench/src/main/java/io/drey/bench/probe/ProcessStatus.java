package io.drey.bench.probe;

/**
 * The memory of a process, as the kernel's {@code status} file tells it.
 *
 * @param residentBytes now, or -1
 * @param peakBytes the largest so far, or -1
 */
record ProcessStatus(long residentBytes, long peakBytes) {
    private static final int KB = 1024;

    static final ProcessStatus UNKNOWN = new ProcessStatus(-1, -1);

    static ProcessStatus parse(String text) {
        return new ProcessStatus(bytes(text, "\nVmRSS:"), bytes(text, "\nVmHWM:"));
    }

    private static long bytes(String text, String name) {
        int at = text.indexOf(name);
        int unit = at < 0 ? -1 : text.indexOf(" kB", at);
        return unit < 0
                ? -1
                : Long.parseLong(text.substring(at + name.length(), unit).strip()) * KB;
    }
}
