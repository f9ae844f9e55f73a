package io.drey.bench.jmh.setup;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** Puts what {@link Meter} counted, an operation, among JMH's results. */
public final class MeterProfiler implements InternalProfiler {
    @Override
    public String getDescription() {
        return "processor time, heap bytes and reads of the benchmark's thread";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        // The benchmark starts the meter itself, after its preparations.
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        Meter.Counts counts = Meter.counted();
        long operations = result.getMetadata().getAllOps();
        if (counts == null || operations == 0) {
            return List.of();
        }
        return List.of(
                perOperation("meter.cpu", counts.cpuNanos(), operations, "ns/op"),
                perOperation("meter.heap", counts.heapBytes(), operations, "B/op"),
                perOperation("meter.reads", counts.reads(), operations, "reads/op"));
    }

    private static ScalarResult perOperation(String name, long count, long operations, String unit) {
        return new ScalarResult(name, (double) count / operations, unit, AggregationPolicy.AVG);
    }
}
