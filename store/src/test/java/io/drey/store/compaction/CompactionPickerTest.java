package io.drey.store.compaction;

import io.drey.store.block.Compression;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.run.Run;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import io.drey.store.tuning.CompactionYield;
import io.drey.store.version.LogUsage;
import io.drey.store.version.Version;
import io.drey.testkit.Script;
import io.drey.testkit.ScriptCommand;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What the picker chooses, by scripts in {@code src/test/resources/compaction}. A position is a prefix: table 1, and after
 * the dot the upper byte of the hash, 0 to 255; each entry takes about 100 bytes.
 *
 * <pre>
 * tiers [inMajor=n]     sizes of young runs, youngest first, as input
 * limits ...             for all that follow
 * young, level [n=0] [value=80]  adds a run with entries: lines "table.from-to count"
 * pick [reads=suffer] [room=n]    what the picker chooses
 * beside left=n          what it chooses beside the one picked last, of which so many bytes are left
 * compact [times=n]        picks and applies, and shows the version
 * </pre>
 */
class CompactionPickerTest {
    private static final RunOptions OPTIONS = new RunOptions(128, 4096, 4096, Compression.NONE);
    private static final int VALUE_BYTES = 80;

    private final TestRuns runs = new TestRuns(16 << 20, 1024);
    private final Map<Run, TreeMap<TestEntry.Address, TestEntry>> contents = new HashMap<>();

    @AfterEach
    void close() {
        contents.keySet().forEach(Run::close);
        runs.close();
    }

    @Test
    void choosesAsTheScriptsSay() throws Exception {
        Script.runAll(Path.of("src/test/resources/compaction"), () -> new Interpreter()::run);
    }

    private final class Interpreter {
        private CompactionLimits limits = new CompactionLimits(8, 4, 6, 25, 4000, 8000);
        private Version version = Version.EMPTY;
        private CompactionChoice picked;
        private final Map<Run, String> names = new HashMap<>();
        private int made;

        String run(ScriptCommand command) throws Exception {
            return switch (command.name()) {
                case "tiers" -> tiers(command);
                case "limits" -> setLimits(command);
                case "young" -> addYoung(command);
                case "level" -> addLevel(command);
                case "pick" ->
                    show(
                            picked = CompactionPicker.pick(
                                    version,
                                    LogUsage.of(version),
                                    limits,
                                    new CompactionYield(),
                                    command.text("reads", "fine").equals("suffer"),
                                    command.number("room", Long.MAX_VALUE)));
                case "beside" ->
                    show(CompactionPicker.pickBeside(
                            version,
                            LogUsage.of(version),
                            limits,
                            new CompactionYield(),
                            picked,
                            Long.parseLong(command.text("left"))));
                case "compaction" -> compaction(Integer.parseInt(command.text("times", "1")));
                default -> throw new IllegalArgumentException("unknown command " + command.name());
            };
        }

        private String tiers(ScriptCommand command) {
            long[] bytes = java.util.Arrays.stream(
                            String.join(" ", command.input()).trim().split("\\s+"))
                    .mapToLong(Long::parseLong)
                    .toArray();
            int inMajor = Integer.parseInt(command.text("inMajor", "0"));
            TierPicker.Window window = TierPicker.pick(bytes, bytes.length - inMajor, limits);
            return window == null ? "nothing" : window.count() + " from " + window.from();
        }

        private String setLimits(ScriptCommand command) {
            limits = new CompactionLimits(
                    Integer.parseInt(command.text("young", "8")),
                    Integer.parseInt(command.text("min", "4")),
                    Integer.parseInt(command.text("max", "6")),
                    Integer.parseInt(command.text("major", "25")),
                    Long.parseLong(command.text("run", "4000")),
                    Long.parseLong(command.text("job", "8000")));
            return "";
        }

        private String addYoung(ScriptCommand command) throws Exception {
            List<RunView> young = new ArrayList<>(version.young());
            young.add(0, RunView.of(write(entries(command), command.text("name"))));
            version = new Version(young, version.levels());
            return "";
        }

        private String addLevel(ScriptCommand command) throws Exception {
            int number = Integer.parseInt(command.text("n", "0"));
            List<List<RunView>> levels = new ArrayList<>(version.levels());
            while (levels.size() <= number) {
                levels.add(List.of());
            }
            List<RunView> level = new ArrayList<>(levels.get(number));
            level.add(RunView.of(write(entries(command), command.text("name"))));
            levels.set(number, level);
            version = new Version(version.young(), levels);
            return "";
        }

        private TreeMap<TestEntry.Address, TestEntry> entries(ScriptCommand command) {
            int valueBytes = Integer.parseInt(command.text("value", Integer.toString(VALUE_BYTES)));
            TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
            for (String line : command.input()) {
                String[] words = line.trim().split("[ .-]+");
                int table = Integer.parseInt(words[0]);
                double from = Integer.parseInt(words[1]);
                double to = Integer.parseInt(words[2]);
                int count = Integer.parseInt(words[3]);
                for (int i = 0; i < count; i++) {
                    TestEntry entry = entry(table, from + (to - from) * i / count, valueBytes);
                    entries.put(entry.address(), entry);
                }
            }
            return entries;
        }

        private static TestEntry entry(int table, double position, int valueBytes) {
            // Only the index is looked at, so the hash need not be the body's.
            EntryKey key = TestEntry.key(
                    table, 0, Double.toString(position).getBytes(StandardCharsets.US_ASCII), new byte[0], null);
            TestEntry.Address address = TestEntry.address(key);
            TestEntry.Address placed = new TestEntry.Address(
                    table, 0, (long) (position * (1L << 24)) << 32, address.body(), address.rowLength());
            return new TestEntry(placed, EntryKind.VALUE, new byte[valueBytes]);
        }

        private Run write(TreeMap<TestEntry.Address, TestEntry> entries, String name) throws Exception {
            Run run = runs.write(entries.values(), OPTIONS);
            contents.put(run, entries);
            names.put(run, name);
            return run;
        }

        private String compaction(int times) throws Exception {
            StringBuilder shown = new StringBuilder();
            for (int i = 0; i < times; i++) {
                CompactionChoice choice = CompactionPicker.pick(
                        version, LogUsage.of(version), limits, new CompactionYield(), false, Long.MAX_VALUE);
                shown.append(show(choice)).append('\n');
                if (choice == null) {
                    break;
                }
                version = choice.apply(version, outputs(choice));
            }
            shown.append("young: ").append(show(version.young())).append('\n');
            for (List<RunView> level : version.levels()) {
                shown.append("level: ").append(show(level)).append('\n');
            }
            return shown.toString();
        }

        /** What a job would write: all entries of the inputs, in runs of the size wanted. */
        private List<Run> outputs(CompactionChoice choice) throws Exception {
            TreeMap<TestEntry.Address, TestEntry> compacted = new TreeMap<>();
            for (List<RunView> input : choice.inputs()) {
                for (RunView view : input) {
                    contents.get(view.run()).forEach((address, entry) -> {
                        if (isIn(address.prefix(), view)) {
                            compacted.put(address, entry);
                        }
                    });
                }
            }
            List<Run> outputs = new ArrayList<>();
            TreeMap<TestEntry.Address, TestEntry> part = new TreeMap<>();
            int entriesMax = choice.majorCompaction() ? (int) (limits.runBytesMax() / 100) : Integer.MAX_VALUE;
            for (TestEntry entry : compacted.values()) {
                if (part.size() == entriesMax) {
                    outputs.add(write(part, "m" + ++made));
                    part = new TreeMap<>();
                }
                part.put(entry.address(), entry);
            }
            if (!part.isEmpty()) {
                outputs.add(write(part, "m" + ++made));
            }
            return outputs;
        }

        private static boolean isIn(long prefix, RunView view) {
            return Long.compareUnsigned(prefix, view.prefixFrom()) >= 0
                    && (view.prefixTo() == 0 || Long.compareUnsigned(prefix, view.prefixTo()) < 0);
        }

        private String show(CompactionChoice choice) {
            if (choice == null) {
                return "nothing";
            }
            List<String> inputs = choice.inputs().stream().map(this::names).toList();
            return (choice.majorCompaction() ? "major " : "compaction ")
                    + String.join(" / ", inputs)
                    + (choice.majorCompaction()
                            ? " in " + position(choice.prefixFrom()) + "-" + end(choice.prefixTo())
                            : "");
        }

        private String names(List<RunView> views) {
            return String.join(
                    " ", views.stream().map(view -> names.get(view.run())).toList());
        }

        private String show(List<RunView> views) {
            return String.join(
                    " ",
                    views.stream()
                            .map(view -> names.get(view.run()) + "[" + position(view.firstPrefix()) + "-"
                                    + position(view.lastPrefix()) + "]")
                            .toList());
        }

        private static String position(long prefix) {
            return (prefix >>> 48) + "." + (prefix >>> 24 & 0xff);
        }

        private static String end(long prefix) {
            return prefix == RunView.NO_END ? "end" : position(prefix);
        }
    }
}
