package io.drey.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The raw data of a comparison as it is kept among the project's files: rounded, without the paths of the machine that it
 * ran on, and packed. Figures of published results are made from what is kept, so that anyone can make them again.
 */
final class RawData {
    /** A repository is no place for more. */
    static final long BYTES_MAX = 2 << 20;

    private static final double THOUSAND = 1_000;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private RawData() {}

    /** Writes it. */
    static void write(Path file, Comparison comparison) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(MAPPER.writeValueAsBytes(comparison));
        }
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException(file + " has " + Files.size(file) + " bytes, expected at most " + BYTES_MAX
                    + " for published raw data: compare fewer jobs or contenders, or measure for a shorter time");
        }
    }

    /** Reads it. */
    static Comparison read(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return MAPPER.readValue(in, Comparison.class);
        }
    }

    /**
     * What is worth keeping. The seconds of a fill come together as one, since only their rate is looked at.
     *
     * @param project where the project's files are
     */
    static Comparison kept(Comparison comparison, Path project) throws IOException {
        List<CellResult> cells = new ArrayList<>();
        for (CellResult cell : comparison.cells()) {
            cells.add(rounded(cell));
        }
        Comparison rounded = new Comparison(
                comparison.format(),
                comparison.startedAt(),
                comparison.finishedAt(),
                comparison.status(),
                comparison.command(),
                comparison.machine(),
                comparison.versions(),
                comparison.contenders(),
                comparison.jobs(),
                comparison.disk(),
                cells,
                comparison.skipped());
        return withoutPaths(rounded, project);
    }

    private static Comparison withoutPaths(Comparison comparison, Path project) throws IOException {
        Map<String, String> names = new LinkedHashMap<>();
        for (CellResult cell : comparison.cells()) {
            CellSpec.Places places = cell.spec().places();
            name(names, places.local(), "/" + cell.spec().job() + "/", "state");
            name(names, places.checkpoints(), "/checkpoints", "work");
        }
        name(names, project.toAbsolutePath().normalize().toString(), "", ".");
        name(names, System.getProperty("user.home"), "", "~");
        String json = MAPPER.writeValueAsString(comparison);
        for (Map.Entry<String, String> entry : names.entrySet()) {
            json = json.replace(entry.getKey(), entry.getValue());
        }
        return MAPPER.readValue(json, Comparison.class);
    }

    /** Longer paths come first, since a shorter one may be the begin of a longer one. */
    private static void name(Map<String, String> names, String path, String from, String name) {
        int end = from.isEmpty() ? path.length() : path.lastIndexOf(from);
        if (end > 1) {
            names.putIfAbsent(path.substring(0, end), name);
        }
    }

    private static CellResult rounded(CellResult cell) {
        List<ProcessSample> samples = new ArrayList<>();
        for (ProcessSample sample : cell.spec().fills() ? together(cell.samples()) : cell.samples()) {
            samples.add(rounded(sample));
        }
        return new CellResult(
                cell.spec(),
                cell.command(),
                cell.error(),
                cell.checkpoint(),
                cell.firstEvent(),
                cell.lastEvent(),
                cell.vertices(),
                samples,
                cell.checkpoints(),
                cell.pauses().stream()
                        .map(pause -> new CellResult.Pause(
                                rounded(pause.second()), rounded(pause.millis()), pause.collector()))
                        .toList(),
                cell.restore(),
                cell.peakResidentBytes(),
                cell.digests());
    }

    private static double rounded(double value) {
        return Math.round(value * THOUSAND) / THOUSAND;
    }

    private static ProcessSample rounded(ProcessSample sample) {
        Map<String, Double> cpu = new TreeMap<>();
        sample.cpu().forEach((group, seconds) -> cpu.put(group, rounded(seconds)));
        return new ProcessSample(
                rounded(sample.second()),
                rounded(sample.length()),
                sample.measured(),
                sample.events(),
                cpu,
                sample.residentBytes(),
                sample.heapBytes(),
                sample.allocatedBytes(),
                sample.localBytes(),
                sample.io(),
                sample.device());
    }

    private static List<ProcessSample> together(List<ProcessSample> samples) {
        if (samples.isEmpty()) {
            return samples;
        }
        ProcessSample last = samples.get(samples.size() - 1);
        double length = samples.stream().mapToDouble(ProcessSample::length).sum();
        long events = samples.stream().mapToLong(ProcessSample::events).sum();
        long allocated =
                samples.stream().mapToLong(ProcessSample::allocatedBytes).sum();
        long resident =
                samples.stream().mapToLong(ProcessSample::residentBytes).max().orElse(-1);
        Map<String, Double> cpu = new TreeMap<>();
        samples.forEach(sample -> sample.cpu().forEach((group, seconds) -> cpu.merge(group, seconds, Double::sum)));
        return List.of(new ProcessSample(
                last.second(),
                length,
                false,
                events,
                cpu,
                resident,
                last.heapBytes(),
                allocated,
                last.localBytes(),
                null,
                null));
    }
}
