package io.drey.dist.crash;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.functions.RichMapFunction;

/** Lets through so many numbers a millisecond, until a file exists. */
final class Throttle extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;
    private static final int MILLISECONDS_PER_PAUSE = 20;

    private final int perMillisecond;
    private final String hurry;
    private int passed;

    Throttle(int perMillisecond, String hurry) {
        this.perMillisecond = perMillisecond;
        this.hurry = hurry;
    }

    @Override
    public Long map(Long number) throws InterruptedException {
        if (++passed >= perMillisecond * MILLISECONDS_PER_PAUSE) {
            passed = 0;
            if (!Files.exists(Path.of(hurry))) {
                Thread.sleep(MILLISECONDS_PER_PAUSE);
            }
        }
        return number;
    }
}
