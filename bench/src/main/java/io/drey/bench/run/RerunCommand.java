package io.drey.bench.run;

import io.drey.bench.contender.Contender;
import io.drey.bench.contender.Contenders;
import io.drey.bench.format.ShellWords;
import io.drey.bench.plan.CompareSettings;
import io.drey.bench.plan.PlannedCell;
import io.drey.bench.plan.Workload;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The command that runs one workload on one contender again, alone, as it ran here. */
final class RerunCommand {
    private static final String TYPE = "state.backend.type";

    private RerunCommand() {}

    static String of(CompareSettings settings, PlannedCell cell) {
        List<String> words = new ArrayList<>(List.of("./drey", "compare"));
        words.addAll(List.of("--jobs", cell.workload().family()));
        contender(words, cell.contender());
        words.addAll(List.of("--repetitions", "1", "--scale", scale(cell.workload())));
        memory(words, settings.memory());
        time(words, settings.time());
        words.addAll(List.of("--seed", Long.toString(settings.seed())));
        if (settings.disk() != null) {
            disk(words, settings.disk());
        }
        return ShellWords.text(words);
    }

    private static String scale(Workload workload) {
        double scale = workload.size().timesMemory();
        return scale == Math.rint(scale) ? Long.toString((long) scale) : Double.toString(scale);
    }

    private static void contender(List<String> words, Contender contender) {
        if (Contenders.names().contains(contender.name())) {
            words.addAll(List.of("--contenders", contender.name()));
            return;
        }
        StringBuilder definition = new StringBuilder();
        definition
                .append(contender.name())
                .append('=')
                .append(contender.options().get(TYPE));
        contender.jars().forEach(jar -> definition.append(";jar=").append(jar));
        for (Map.Entry<String, String> option : new TreeMap<>(contender.options()).entrySet()) {
            if (!option.getKey().equals(TYPE)) {
                definition.append(';').append(option.getKey()).append('=');
                definition.append(option.getValue().replace(";", "\\;"));
            }
        }
        words.addAll(List.of("--contenders", "none", "--contender", definition.toString()));
    }

    private static void memory(List<String> words, CompareSettings.Memory memory) {
        words.addAll(List.of("--managed-memory", bytes(memory.managedBytes())));
        words.addAll(List.of("--heap", bytes(memory.heapBytes())));
        words.addAll(List.of("--heap-of-heap-state", bytes(memory.heapStateBytes())));
    }

    private static void time(List<String> words, CellSpec.Time time) {
        words.addAll(List.of("--warm-up", time.warmUpMs() + "ms", "--measure", time.measureMs() + "ms"));
        words.addAll(List.of("--fill-max", time.fillMsMax() + "ms"));
        words.addAll(List.of("--checkpoint-interval", time.checkpointIntervalMs() + "ms"));
    }

    private static void disk(List<String> words, Comparison.Disk disk) {
        words.addAll(List.of("--iops", Long.toString(disk.iops())));
        words.addAll(List.of("--burst", Long.toString(disk.burstCredits())));
        words.addAll(List.of("--burst-iops", Long.toString(disk.burstIops())));
        if (disk.bandwidth() > 0) {
            words.addAll(List.of("--bandwidth", bytes(disk.bandwidth())));
        }
    }

    /** As the command line reads it, which knows nothing smaller than a kilobyte. */
    private static String bytes(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + "m" : (bytes >> 10) + "k";
    }
}
