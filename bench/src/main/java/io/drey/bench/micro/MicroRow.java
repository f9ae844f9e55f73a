package io.drey.bench.micro;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One operation on state of one size.
 *
 * @param group the class of the benchmark: what its operations have in common
 * @param operation the method of the benchmark
 * @param sizes the benchmark's parameters other than the contender, by name
 * @param scores by contender, in the order in which they ran
 */
record MicroRow(String group, String operation, Map<String, String> sizes, Map<String, MicroScore> scores) {
    private static final String DREY = "drey";
    private static final String BASELINES = "rocksdb";

    public MicroRow {
        sizes = Collections.unmodifiableMap(new LinkedHashMap<>(sizes));
        scores = Collections.unmodifiableMap(new LinkedHashMap<>(scores));
    }

    /**
     * How often Drey does it in the time in which the faster one of the RocksDB contenders does it once; -1 if unknown.
     */
    public double timesRocksDb() {
        return ratio(MicroScore::nanos);
    }

    /** The same by processor time. */
    public double timesRocksDbByCpu() {
        return ratio(MicroScore::cpuNanos);
    }

    private double ratio(ToDoubleFunction<MicroScore> cost) {
        MicroScore drey = scores.get(DREY);
        double fastest = Double.MAX_VALUE;
        for (Map.Entry<String, MicroScore> score : scores.entrySet()) {
            double found = cost.applyAsDouble(score.getValue());
            if (score.getKey().startsWith(BASELINES) && found > 0) {
                fastest = Math.min(fastest, found);
            }
        }
        boolean known = drey != null && cost.applyAsDouble(drey) > 0 && fastest < Double.MAX_VALUE;
        return known ? fastest / cost.applyAsDouble(drey) : -1;
    }
}
