package io.drey.flink.state.task;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/** Remembers what was said of late: hundreds of tasks of a process find the same at the same time. Any thread. */
public final class OnceAMinute {
    private static final long REPEAT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int SENTENCES_MAX = 100;

    private static final Map<String, Long> SAID = new LinkedHashMap<>();

    private OnceAMinute() {}

    /** Warns, of a failure or of null, if nobody has within a minute; else it is told at level debug. */
    public static void warn(Logger log, String sentence, Throwable failure) {
        if (isNew(sentence)) {
            log.warn("{}", sentence, failure);
        } else {
            log.debug("{}", sentence, failure);
        }
    }

    static boolean isNew(String sentence) {
        synchronized (SAID) {
            long now = System.nanoTime();
            SAID.values().removeIf(said -> now - said >= REPEAT_NANOS);
            return SAID.size() < SENTENCES_MAX && SAID.putIfAbsent(sentence, now) == null;
        }
    }
}
