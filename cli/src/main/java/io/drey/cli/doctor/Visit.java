package io.drey.cli.doctor;

import static io.drey.bench.format.Quantity.count;
import static io.drey.bench.format.Quantity.millis;
import static io.drey.bench.format.Quantity.number;
import static io.drey.bench.format.Quantity.size;

import io.drey.cli.doctor.finding.FindingList;
import io.drey.cli.doctor.host.ConfigFacts;
import io.drey.cli.doctor.host.ConfigReader;
import io.drey.cli.doctor.host.HostFacts;
import io.drey.cli.doctor.host.HostFacts.DirectoryFacts;
import io.drey.cli.doctor.host.HostReader;
import io.drey.cli.doctor.host.HostRules;
import io.drey.cli.doctor.job.JobFacts;
import io.drey.cli.doctor.job.JobFacts.VertexFacts;
import io.drey.cli.doctor.job.JobReader;
import io.drey.cli.doctor.job.JobRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures and asks, and lets the rules say what they find. */
public final class Visit {
    private Visit() {}

    /** To this machine; a null directory of configuration is none. */
    public static FindingList machine(Path configDirectory, List<Path> directories) throws IOException {
        ConfigFacts config = configDirectory == null ? null : ConfigReader.read(configDirectory);
        List<Path> measured = new ArrayList<>(directories);
        if (measured.isEmpty() && config != null) {
            config.stateDirectories().forEach(directory -> measured.add(Path.of(directory)));
        }
        HostFacts host =
                HostReader.ofThisMachine().read(measured.stream().distinct().toList());
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cores", number(host.cores()) + " (" + host.container() + ")");
        facts.put("memory", size(host.memoryBytes()));
        facts.put("open files", host.openFilesMax() < 0 ? "unknown" : count(host.openFilesMax()));
        facts.put("Java", host.javaVersion() + "");
        if (config != null) {
            facts.put("state backend", config.backend());
            facts.put("managed memory of a slot", config.slotBytes() < 0 ? "unknown" : size(config.slotBytes()));
        }
        for (DirectoryFacts directory : host.directories()) {
            facts.put(directory.path(), directory.problem() == null ? text(directory) : directory.problem());
        }
        return new FindingList(HostRules.findings(host, config), facts);
    }

    private static String text(DirectoryFacts directory) {
        return directory.fileSystem() + ", " + size(directory.usableBytes()) + " free; a read "
                + number(directory.readMicros()) + " us (1 % over " + number(directory.slowestReadMicros())
                + "), ceiling "
                + count((long) directory.readsPerSecond()) + " reads/s, writes "
                + size(directory.writeBytesPerSecond()) + "/s"
                + (directory.direct() ? "" : "; through the page cache, so the disk may be slower");
    }

    /** To a job, for some milliseconds. */
    public static FindingList job(JobReader reader, String wanted, long millis)
            throws IOException, InterruptedException {
        JobFacts job = reader.read(reader.job(wanted), millis);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("job", job.name() + " (" + job.id() + "), " + job.state());
        facts.put("looked at for", millis(job.seconds() * 1000));
        facts.put("state backend", job.backend().isEmpty() ? "unknown" : job.backend());
        if (job.checkpoints().durationMs() >= 0) {
            facts.put(
                    "last checkpoint",
                    size(job.checkpoints().stateBytes()) + " in "
                            + millis(job.checkpoints().durationMs()) + ", "
                            + size(job.checkpoints().writtenBytes()) + " written");
        }
        for (VertexFacts vertex : job.vertices()) {
            String task = "task " + vertex.name();
            facts.put(
                    facts.containsKey(task) ? task + " (" + vertex.id() + ")" : task,
                    String.format(
                            Locale.ROOT,
                            "%s%s, back pressured %.0f %%",
                            vertex.isSource() ? "" : count((long) vertex.recordsIn()) + " records/s in, ",
                            vertex.tellsBusy()
                                    ? String.format(Locale.ROOT, "busy %.0f %%", 100 * vertex.busyMax())
                                    : "does not say how busy it is",
                            100 * vertex.backPressuredMax()));
        }
        return new FindingList(JobRules.findings(job), facts);
    }
}
