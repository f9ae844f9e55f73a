package io.drey.dist.crash;

import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;

/** Lets through so many numbers a millisecond, until they end. */
final class Throttle implements FlatMapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;
    private static final int MILLISECONDS_PER_PAUSE = 20;

    private final int perMillisecond;
    private final InputEnd end;
    private long passed;
    private long numbers = Long.MAX_VALUE;

    Throttle(int perMillisecond, InputEnd end) {
        this.perMillisecond = perMillisecond;
        this.end = end;
    }

    @Override
    public void flatMap(Long number, Collector<Long> out) throws Exception {
        if (passed % ((long) perMillisecond * MILLISECONDS_PER_PAUSE) == 0 && numbers == Long.MAX_VALUE) {
            Thread.sleep(MILLISECONDS_PER_PAUSE);
            numbers = end.numbers(number);
        }
        passed++;
        if (number < numbers) {
            out.collect(number);
        }
    }
}
