package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellResult.Checkpoint;
import io.drey.bench.result.CellResult.Pause;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures of one cell. A figure that was not measured is absent, never zero. */
final class CellFigures {
    private static final Map<String, Figure> CPU_GROUPS = Map.of(
            "task", Figure.CPU_TASK,
            "source", Figure.CPU_SOURCE,
            "background", Figure.CPU_BACKGROUND,
            "checkpoint", Figure.CPU_CHECKPOINT,
            "gc", Figure.CPU_GC,
            "jit", Figure.CPU_JIT);
    private static final double MICROS = 1e6;

    private final CellResult cell;
    private final List<ProcessSample> measured = new ArrayList<>();
    private final Map<Figure, Double> values = new EnumMap<>(Figure.class);

    private CellFigures(CellResult cell) {
        this.cell = cell;
        for (ProcessSample sample : cell.samples()) {
            if (sample.measured() && sample.length() > 0) {
                measured.add(sample);
            }
        }
    }

    /** The figures of a measured cell, or the rate of a cell that fills. */
    static Map<Figure, Double> of(CellResult cell, Comparison.Disk disk) {
        CellFigures figures = new CellFigures(cell);
        if (cell.spec().fills()) {
            figures.fill();
        } else {
            if (!figures.measured.isEmpty()) {
                figures.throughput();
                figures.cpu();
                figures.memory();
                figures.io();
                figures.backend();
            }
            figures.burst(disk);
            figures.checkpoints();
            figures.commits();
            figures.restore();
        }
        return Collections.unmodifiableMap(figures.values);
    }

    private void put(Figure figure, double value) {
        values.put(figure, value);
    }

    private double seconds() {
        return sum(ProcessSample::length);
    }

    private double sum(ToDoubleFunction<ProcessSample> part) {
        return measured.stream().mapToDouble(part).sum();
    }

    private void fill() {
        double seconds = 0;
        double events = 0;
        int still = 0;
        for (ProcessSample sample : cell.samples()) {
            seconds += sample.length();
            events += sample.events();
            still += events > 0 && sample.events() == 0 ? 1 : 0;
        }
        if (seconds > 0) {
            put(Figure.FILL_RATE, events / seconds);
            put(Figure.FILL_STILL, still);
        }
    }

    private void throughput() {
        double[] rates = Statistics.sorted(measured.stream()
                .map(sample -> sample.events() / sample.length())
                .toList());
        double median = Statistics.percentile(rates, 50);
        double p10 = Statistics.percentile(rates, 10);
        put(Figure.EVENTS_MEDIAN, median);
        put(Figure.EVENTS_P10, p10);
        put(Figure.EVENTS_MIN, rates[0]);
        put(
                Figure.EVENTS_STILL,
                measured.stream().filter(sample -> sample.events() == 0).count());
        put(Figure.EVENTS_MEAN, sum(ProcessSample::events) / seconds());
        if (median > 0) {
            put(Figure.STEADINESS, p10 / median);
        }
    }

    private void burst(Comparison.Disk disk) {
        OptionalDouble usedUp = BurstCredit.usedUp(cell.samples(), disk);
        if (usedUp.isEmpty()) {
            return;
        }
        put(Figure.BURST_USED_UP, usedUp.getAsDouble());
        List<Double> rates = new ArrayList<>();
        for (ProcessSample sample : measured) {
            if (sample.second() > usedUp.getAsDouble()) {
                rates.add(sample.events() / sample.length());
            }
        }
        if (!rates.isEmpty()) {
            put(Figure.EVENTS_AFTER_BURST, Statistics.median(rates));
        }
    }

    /** Groups that have no figure of their own go to the rest, so that the parts always add up to the total. */
    private void cpu() {
        if (measured.stream().anyMatch(sample -> sample.cpu().isEmpty())) {
            return;
        }
        Map<Figure, Double> used = new EnumMap<>(Figure.class);
        CPU_GROUPS.values().forEach(figure -> used.put(figure, 0.0));
        used.put(Figure.CPU_OTHER, 0.0);
        for (ProcessSample sample : measured) {
            sample.cpu()
                    .forEach((group, seconds) -> used.merge(
                            CPU_GROUPS.getOrDefault(group, Figure.CPU_OTHER), seconds * MICROS, Double::sum));
        }
        used.put(
                Figure.CPU_TOTAL,
                used.values().stream().mapToDouble(Double::doubleValue).sum());
        used.forEach(this::putPerEvent);
    }

    private void putPerEvent(Figure figure, double total) {
        double events = sum(ProcessSample::events);
        if (events > 0) {
            put(figure, total / events);
        }
    }

    /** Of what the system counts, if it tells: else a sample has -1. */
    private void putCountPerEvent(Figure figure, ToDoubleFunction<ProcessSample> part) {
        if (measured.stream().mapToDouble(part).allMatch(count -> count >= 0)) {
            putPerEvent(figure, sum(part));
        }
    }

    private void memory() {
        double peak = cell.samples().stream()
                .mapToDouble(ProcessSample::residentBytes)
                .max()
                .orElse(-1);
        peak = Math.max(peak, cell.peakResidentBytes());
        if (peak >= 0) {
            put(Figure.RESIDENT_PEAK, peak);
        }
        put(
                Figure.HEAP_MEDIAN,
                Statistics.median(measured.stream()
                        .map(sample -> (double) sample.heapBytes())
                        .toList()));
        putCountPerEvent(Figure.ALLOCATED, ProcessSample::allocatedBytes);
        pauses();
    }

    private void pauses() {
        double begin = measured.get(0).second() - measured.get(0).length();
        double end = measured.get(measured.size() - 1).second();
        double total = 0;
        double longest = 0;
        int count = 0;
        for (Pause pause : cell.pauses()) {
            if (pause.second() >= begin && pause.second() <= end) {
                total += pause.millis();
                longest = Math.max(longest, pause.millis());
                count++;
            }
        }
        put(Figure.GC_PAUSES, count);
        put(Figure.GC_SHARE, 100 * total / 1_000 / seconds());
        if (count > 0) {
            put(Figure.GC_MAX, longest);
        }
    }

    private void io() {
        double local =
                measured.stream().mapToDouble(ProcessSample::localBytes).max().orElse(-1);
        if (local >= 0) {
            put(Figure.LOCAL_PEAK, local);
        }
        if (has(ProcessSample::io)) {
            putCountPerEvent(Figure.PROCESS_READS, sample -> sample.io().reads());
            putCountPerEvent(Figure.PROCESS_READ_BYTES, sample -> sample.io().readBytes());
            putCountPerEvent(Figure.PROCESS_WRITES, sample -> sample.io().writes());
            putCountPerEvent(Figure.PROCESS_WRITE_BYTES, sample -> sample.io().writeBytes());
        }
        if (has(ProcessSample::device)) {
            putCountPerEvent(Figure.DEVICE_READS, sample -> sample.device().reads());
            putCountPerEvent(Figure.DEVICE_READ_BYTES, sample -> sample.device().readBytes());
            putCountPerEvent(Figure.DEVICE_WRITES, sample -> sample.device().writes());
            putCountPerEvent(
                    Figure.DEVICE_WRITE_BYTES, sample -> sample.device().writeBytes());
        }
    }

    private void backend() {
        if (!has(ProcessSample::backend)) {
            return;
        }
        put(
                Figure.INDEX_MAX,
                measured.stream()
                        .mapToLong(sample -> sample.backend().indexBytes())
                        .max()
                        .orElse(0));
        putPerEvent(Figure.FLUSH_BYTES, sum(sample -> sample.backend().flushBytes()));
        putPerEvent(Figure.YOUNG_BYTES, sum(sample -> sample.backend().youngBytes()));
        putPerEvent(Figure.LEVEL_BYTES, sum(sample -> sample.backend().levelBytes()));
    }

    private boolean has(Function<ProcessSample, ?> part) {
        return measured.stream().allMatch(sample -> part.apply(sample) != null);
    }

    private void checkpoints() {
        List<Checkpoint> completed = new ArrayList<>();
        int failed = 0;
        for (Checkpoint checkpoint : cell.checkpoints()) {
            if (checkpoint.measured() && checkpoint.completed()) {
                completed.add(checkpoint);
            } else if (checkpoint.measured()) {
                failed++;
            }
        }
        put(Figure.CHECKPOINTS, completed.size());
        put(Figure.CHECKPOINTS_FAILED, failed);
        if (completed.isEmpty()) {
            return;
        }
        double[] durations = sorted(completed, Checkpoint::durationMs);
        double[] sync = sorted(completed, Checkpoint::syncMs);
        double[] uploaded = sorted(completed, Checkpoint::uploadedBytes);
        put(Figure.CHECKPOINT_P50, Statistics.percentile(durations, 50));
        put(Figure.CHECKPOINT_P99, Statistics.percentile(durations, 99));
        put(Figure.CHECKPOINT_MAX, durations[durations.length - 1]);
        put(Figure.CHECKPOINT_SYNC, sync[sync.length - 1]);
        put(Figure.UPLOADED, Statistics.percentile(uploaded, 50));
        put(Figure.UPLOADED_MAX, uploaded[uploaded.length - 1]);
        Checkpoint last = completed.get(completed.size() - 1);
        put(Figure.FULL_SIZE, last.fullBytes());
        if (last.files() >= 0) {
            put(Figure.FILES, last.files());
        }
    }

    private static double[] sorted(List<Checkpoint> checkpoints, ToDoubleFunction<Checkpoint> part) {
        return checkpoints.stream().mapToDouble(part).sorted().toArray();
    }

    private void commits() {
        if (cell.commits() != null) {
            put(Figure.COMMIT_P50, cell.commits().p50Ms());
            put(Figure.COMMIT_P99, cell.commits().p99Ms());
        }
    }

    private void restore() {
        if (cell.restore() == null) {
            return;
        }
        if (cell.restore().firstEventMs() >= 0) {
            put(Figure.RESTORE_FIRST, cell.restore().firstEventMs());
        }
        if (cell.restore().fullSpeedMs() >= 0) {
            put(Figure.RESTORE_FULL, cell.restore().fullSpeedMs());
        }
    }
}
