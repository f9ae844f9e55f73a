package io.drey.bench.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ProcessSample;
import io.drey.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The raw data of a comparison as it is kept among the project's files: rounded, without the paths of the machine that
 * it ran on, and packed. Figures of published results are made from what is kept, so that anyone can make them again.
 */
final class RawData {
    /** A repository is no place for more. */
    static final long BYTES_MAX = 2 << 20;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new Thousandths())
                    .addSerializer(double.class, new Thousandths()))
            .build();

    private RawData() {}

    /** Writes numbers with three digits after the point. */
    private static final class Thousandths extends StdSerializer<Double> {
        private static final long serialVersionUID = 1L;
        private static final double THOUSAND = 1_000;

        Thousandths() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeNumber(Math.round(value * THOUSAND) / THOUSAND);
        }
    }

    /** Writes what was {@link #kept}. */
    static void write(Path file, Comparison kept) throws IOException {
        ResultJson.write(file, kept);
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException(file + " has " + Files.size(file) + " bytes, expected at most " + BYTES_MAX
                    + " for published raw data: compare fewer jobs or contenders, or measure for a shorter time");
        }
    }

    /**
     * What is worth keeping.
     *
     * @param project where the project's files are
     */
    static Comparison kept(Comparison comparison, Path project) throws IOException {
        Map<String, String> names = new LinkedHashMap<>();
        for (CellResult cell : comparison.cells()) {
            CellSpec.Places places = cell.spec().places();
            name(names, places.local(), "/" + cell.spec().job() + "/", "state");
            name(names, places.checkpoints(), "/checkpoints", "work");
        }
        name(names, project.toAbsolutePath().normalize().toString(), "", ".");
        name(names, System.getProperty("user.home"), "", "~");
        String json = MAPPER.writeValueAsString(
                comparison.with(comparison.cells().stream().map(RawData::kept).toList()));
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

    /** Only the rate of a fill is looked at. */
    private static CellResult kept(CellResult cell) {
        return cell.spec().fills()
                ? cell.with(
                        cell.command(),
                        cell.samples().stream().map(ProcessSample::rateOnly).toList())
                : cell;
    }
}
