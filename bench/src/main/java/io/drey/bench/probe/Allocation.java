package io.drey.bench.probe;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Bytes that the Java threads which are alive have allocated on the heap since the look before. */
final class Allocation {
    private final ThreadMXBean threads;
    private Map<Long, Long> before = Map.of();

    Allocation() {
        threads = ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
                        && bean.isThreadAllocatedMemorySupported()
                        && bean.isThreadAllocatedMemoryEnabled()
                ? bean
                : null;
    }

    /** Bytes since the call before, or -1 where the virtual machine does not count them. */
    long take() {
        if (threads == null) {
            return -1;
        }
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<Long, Long> now = new HashMap<>();
        long sum = 0;
        for (int i = 0; i < ids.length; i++) {
            // Negative: the thread has ended between the two calls.
            if (bytes[i] >= 0) {
                now.put(ids[i], bytes[i]);
                sum += bytes[i] - before.getOrDefault(ids[i], 0L);
            }
        }
        before = now;
        return sum;
    }
}
