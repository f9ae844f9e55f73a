package io.drey.shuffle.worker.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.drey.foundation.DreyException;
import java.lang.management.ManagementFactory;

/** The memory outside the heap that this process may have, which the JVM limits by an option or by the heap's size. */
public final class DirectMemory {
    /** For buffers of connections, beside the pool. */
    private static final long BESIDE_BYTES = 64L << 20;

    private static final String OPTION = "MaxDirectMemorySize";

    private DirectMemory() {}

    /** Refuses a pool of so many bytes if it would not fit: it would be found out under load otherwise. */
    public static void check(long poolBytes) {
        check(poolBytes, limit());
    }

    static void check(long poolBytes, long limit) {
        if (poolBytes > limit - BESIDE_BYTES) {
            throw new DreyException("expected the worker's memory to be at most " + (limit - BESIDE_BYTES)
                    + " bytes, found " + poolBytes + ": this process may have " + limit
                    + " bytes outside its heap; start it with -XX:" + OPTION + "=" + (poolBytes + BESIDE_BYTES));
        }
    }

    private static long limit() {
        HotSpotDiagnosticMXBean machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        if (machine == null) {
            return Long.MAX_VALUE;
        }
        long set = Long.parseLong(machine.getVMOption(OPTION).getValue());
        return set == 0 ? Runtime.getRuntime().maxMemory() : set;
    }
}
