package io.drey.store.compaction;

import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;
import io.drey.store.block.Compression;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.file.FileId;
import io.drey.store.run.Run;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import io.drey.store.tuning.CompactionYield;
import io.drey.store.value.ValueLog;
import io.drey.store.value.ValueLogSet;
import io.drey.store.value.ValuePointer;
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
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What frees the space of separated values, by scripts in {@code src/test/resources/values}.
 *
 * <pre>
 * due young= old= [values=0] [small=0]   whether a major compaction is due; sizes in bytes
 * compacted young= freed= [ended]            what a part of a major compaction has taken and freed
 * garbage [most=] [full=]                which logs are emptied: lines "log bytes bytes-in-use"
 * log name=                              writes a log of eight values of about a size
 * young, level name=                     adds a run that points to values: lines "log first-last"
 * pick [due=major|compaction] [room=]    what is done, where that is due otherwise
 * </pre>
 */
final class ValueLogPickerTest {
    private static final RunOptions OPTIONS = new RunOptions(128, 4096, 4096, Compression.NONE);
    private static final ValueLogSet.Sizes SIZES = new ValueLogSet.Sizes(1 << 10, 64 << 10, 256);
    private static final int VALUES = 8;
    private static final int VALUE_BYTES = 80;

    private final TestRuns runs = new TestRuns(16 << 20, 1024);
    private final List<Run> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Run::close);
        runs.close();
    }

    @Test
    void choosesAsTheScriptsSay() throws Exception {
        Script.runAll(Path.of("src/test/resources/values"), () -> new Interpreter()::run);
    }

    private final class Interpreter {
        private final CompactionYield freed = new CompactionYield();
        private final SplittableRandom random = new SplittableRandom(1);
        private final Map<String, List<byte[]>> pointers = new HashMap<>();
        private final Map<FileId, String> logNames = new HashMap<>();
        private final Map<Run, String> runNames = new HashMap<>();
        private Version version = Version.EMPTY;
        private int entries;

        String run(ScriptCommand command) throws Exception {
            return switch (command.name()) {
                case "due" -> due(command);
                case "major" -> compacted(command);
                case "garbage" -> garbage(command);
                case "log" -> log(command.text("name"));
                case "young" -> young(write(command));
                case "level" -> level(write(command));
                case "pick" -> pick(command.text("due", ""), command.number("room", Long.MAX_VALUE));
                default -> throw new IllegalArgumentException("unknown command " + command.name());
            };
        }

        private String due(ScriptCommand command) {
            long young = command.number("young");
            long values = Long.parseLong(command.text("values", "0"));
            CompactionLimits limits = CompactionLimits.of(8, Long.parseLong(command.text("small", "0")));
            boolean due = limits.isMajorDue(young, command.number("old"), values, freed.expected(young, values));
            return due ? "yes" : "no";
        }

        private String compacted(ScriptCommand command) {
            freed.compacted(command.number("young"), command.number("freed"));
            if (command.has("ended")) {
                freed.ended();
            }
            return "";
        }

        private String garbage(ScriptCommand command) {
            List<LogUsage.Use> uses = new ArrayList<>();
            for (String line : command.input()) {
                String[] words = line.trim().split(" ");
                FileId id = new FileId(0, uses.size());
                logNames.put(id, words[0]);
                uses.add(new LogUsage.Use(id, Long.parseLong(words[1]), Long.parseLong(words[2])));
            }
            List<LogUsage.Use> chosen = new ArrayList<>(GarbagePicker.garbage(uses));
            chosen.addAll(GarbagePicker.small(
                    uses, chosen, (int) command.number("most", 100), command.number("full", Long.MAX_VALUE)));
            return chosen.isEmpty()
                    ? "nothing"
                    : chosen.stream().map(use -> logNames.get(use.log())).collect(Collectors.joining(" "));
        }

        private String log(String name) throws Exception {
            List<byte[]> made = new ArrayList<>();
            try (ValueLogSet logs = runs.newLogs();
                    Scratch value = new Scratch(runs.arena(), runs.memory().overdraft());
                    Scratch pointer = new Scratch(runs.arena(), runs.memory().overdraft())) {
                for (int i = 0; i < VALUES; i++) {
                    long from = value.reserve(VALUE_BYTES);
                    for (int at = 0; at < VALUE_BYTES; at += Long.BYTES) {
                        Memory.putLong(from + at, random.nextLong());
                    }
                    long to = pointer.reserve(ValuePointer.BYTES);
                    logs.add(1, from, VALUE_BYTES, to);
                    byte[] bytes = new byte[ValuePointer.BYTES];
                    Memory.copy(to, bytes, 0, bytes.length);
                    made.add(bytes);
                    logNames.put(new FileId(ValuePointer.idHigh(to), ValuePointer.idLow(to)), name);
                }
                logs.finish();
            }
            pointers.put(name, made);
            return "";
        }

        private Run write(ScriptCommand command) throws Exception {
            TreeMap<TestEntry.Address, TestEntry> pointing = new TreeMap<>();
            for (String line : command.input()) {
                String[] words = line.trim().split("[ -]");
                for (int i = Integer.parseInt(words[1]); i <= Integer.parseInt(words[2]); i++) {
                    TestEntry entry = entry(pointers.get(words[0]).get(i));
                    pointing.put(entry.address(), entry);
                }
            }
            Run run = runs.write(pointing.values(), OPTIONS);
            opened.add(run);
            runNames.put(run, command.text("name"));
            return run;
        }

        /** Entries of later runs come behind those of earlier ones, so that those of a level do not overlap. */
        private TestEntry entry(byte[] pointer) {
            String name = Integer.toString(++entries);
            EntryKey key = TestEntry.key(1, 0, name.getBytes(StandardCharsets.US_ASCII), new byte[0], null);
            TestEntry.Address address = TestEntry.address(key);
            TestEntry.Address placed =
                    new TestEntry.Address(1, 0, (long) entries << 32, address.body(), address.rowLength());
            return new TestEntry(placed, EntryKind.POINTER, pointer);
        }

        private String young(Run run) {
            List<RunView> young = new ArrayList<>(version.young());
            young.add(0, RunView.of(run));
            version = new Version(young, version.levels());
            return "";
        }

        private String level(Run run) {
            List<RunView> level = new ArrayList<>(
                    version.levels().isEmpty() ? List.of() : version.levels().get(0));
            level.add(RunView.of(run));
            version = new Version(version.young(), List.of(level));
            return "";
        }

        private String pick(String due, long room) {
            CompactionChoice otherwise = due.isEmpty()
                    ? null
                    : new CompactionChoice(
                            version.young(),
                            version.levels(),
                            0,
                            RunView.NO_END,
                            due.equals("major") ? CompactionChoice.Kind.MAJOR : CompactionChoice.Kind.YOUNG);
            CompactionChoice choice = RelocationPicker.pick(version, LogUsage.of(version), otherwise, SIZES, room);
            if (choice == null) {
                return "nothing";
            }
            String what = choice.young().equals(version.young()) ? "the " + due : "write " + inputs(choice) + " anew";
            return choice.emptied().isEmpty() ? what : what + ", emptying " + names(choice.emptied());
        }

        private String inputs(CompactionChoice choice) {
            return choice.inputs().stream()
                    .flatMap(List::stream)
                    .map(view -> runNames.get(view.run()))
                    .collect(Collectors.joining(" "));
        }

        private String names(List<ValueLog> logs) {
            return logs.stream().map(log -> logNames.get(log.id())).collect(Collectors.joining(" "));
        }
    }
}
