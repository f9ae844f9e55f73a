package io.drey.bench.jmh.setup;

import com.sun.management.ThreadMXBean;
import io.drey.bench.probe.ReadsAndWrites;
import java.lang.management.ManagementFactory;

/**
 * Counts the benchmark's thread between start and stop, beside its time: processor time, which says more than time
 * where others use the machine too, bytes allocated on the heap, and reads of files, which are counted for the whole
 * process. Preparations between two invocations stay out of it, other than with JMH's own profilers. The benchmark's
 * thread starts and stops it; {@link MeterProfiler} reads it after the iteration, in another thread.
 */
public final class Meter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * Counts of one moment, or of one stretch.
     *
     * @param cpuNanos processor time of the thread
     * @param heapBytes bytes that the thread allocated
     * @param reads read calls of the process; 0 where the system does not count them
     */
    public record Counts(long cpuNanos, long heapBytes, long reads) {
        Counts minus(Counts before) {
            return new Counts(cpuNanos - before.cpuNanos, heapBytes - before.heapBytes, reads - before.reads);
        }
    }

    private static Counts atStart;
    private static volatile Counts counted;

    private Meter() {}

    /** Forgets what was counted, and counts from here on. */
    public static void start() {
        counted = null;
        atStart = now();
    }

    /** Stops counting; a second call changes nothing. */
    public static void stop() {
        if (atStart != null) {
            counted = now().minus(atStart);
            atStart = null;
        }
    }

    /** What was counted between the last start and stop, or null. */
    static Counts counted() {
        return counted;
    }

    private static Counts now() {
        return new Counts(
                THREADS.getCurrentThreadCpuTime(),
                THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()),
                reads());
    }

    private static long reads() {
        return Math.max(0, ReadsAndWrites.ofThisProcess().reads());
    }
}
