package io.drey.bench.shuffle;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Main class that runs another one, and ends its process when the process that started it is gone: then nobody holds
 * the other end of standard input. Flink's and the workers' own mains would go on for ever.
 */
public final class OrphanGuard {
    private static final int ORPHANED = 143;

    private OrphanGuard() {}

    /** @param arguments the main class to run, and its arguments */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread guard = new Thread(OrphanGuard::awaitEnd, "orphan-guard");
        guard.setDaemon(true);
        guard.start();
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            System.err.println("The process ends: " + e.getCause());
            e.getCause().printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void awaitEnd() {
        try {
            int next = System.in.read();
            while (next >= 0) {
                next = System.in.read();
            }
        } catch (IOException e) {
            System.err.println("Standard input fails, as if the process that started this one was gone: " + e);
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
