package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.InspectedJob;
import io.drey.cli.inspect.OddName;
import io.drey.cli.inspect.file.FileKind;
import io.drey.cli.inspect.web.PageServer;
import io.drey.cli.terminal.Sentence;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks into snapshots of real jobs whose every entry is known, and into damaged ones. */
class InspectIT {
    private static final String DREY = "io.drey.flink.state.DreyStateBackendFactory";

    @TempDir
    static Path scratch;

    /** Of Drey: two checkpoints of one job, and its canonical savepoint. */
    private static Path firstCheckpoint;

    private static Path checkpoint;
    private static Path canonical;

    /** A native savepoint, the files of which are in no packs. */
    private static Path unpacked;

    private final Shell shell = new Shell();

    @TempDir
    private Path copies;

    @BeforeAll
    static void runJob() throws Exception {
        try (InspectedJob job = new InspectedJob(DREY, scratch.resolve("drey"))) {
            firstCheckpoint = job.checkpoint();
            checkpoint = job.checkpoint();
        }
        // A job that is stopped in order takes its checkpoints with it.
        try (InspectedJob job = new InspectedJob(DREY, scratch.resolve("stopped"))) {
            canonical = job.savepoint(scratch.resolve("savepoints"), SavepointFormatType.CANONICAL);
        }
        try (InspectedJob job = new InspectedJob(DREY, scratch.resolve("unpacked"))) {
            unpacked = job.savepoint(scratch.resolve("native"), SavepointFormatType.NATIVE);
        }
    }

    @AfterAll
    static void nothingWasWritten() throws IOException {
        try (Stream<Path> files = Files.walk(scratch)) {
            assertThat(files.filter(file -> file.toString().endsWith(".csv"))).isEmpty();
        }
    }

    private JsonNode json(String... arguments) throws IOException {
        assertThat(shell.run(arguments)).as(shell.err()).isZero();
        return new ObjectMapper().readTree(shell.out());
    }

    @Test
    void theOverviewNamesOperatorsStatesAndTypes() {
        assertThat(shell.run("inspect", checkpoint.toString())).as(shell.err()).isZero();
        assertThat(shell.out())
                .contains(": checkpoint ", "uid keeper-uid", "parallelism 2, key groups 128, keyed state of Drey")
                .containsPattern("last +value +String +none +Long")
                .containsPattern("words +list +String +none +List<String>")
                .containsPattern("visits +map +String +none +Map<Long, String>")
                .containsPattern("profile +value +String +none +Profile")
                .containsPattern("recent +value +String +none +with time to live")
                .containsPattern("_timer_state/event_user-timers +timers")
                .contains("Half of recent was last accessed by");
        assertThat(shell.run("inspect", checkpoint.getParent().toString())).isZero();
        assertThat(shell.out()).contains(checkpoint.getFileName() + ": checkpoint ");
    }

    @Test
    void aScanCountsWhatTheJobWrote() throws Exception {
        for (Path snapshot : List.of(checkpoint, canonical)) {
            countsAreRight(snapshot);
        }
    }

    private void countsAreRight(Path snapshot) throws IOException {
        JsonNode scan = json("inspect", snapshot.toString(), "--scan", "--ttl", "600min", "--json")
                .get("scan");
        Map<String, JsonNode> states = new TreeMap<>();
        scan.elements().next().forEach(state -> states.put(state.get("state").asText(), state));
        int keys = InspectedJob.USERS + 1;
        for (String state : List.of("last", "words", "profile", "recent", "photo")) {
            assertThat(states.get(state).get("entries").asLong()).as(state).isEqualTo(keys);
        }
        assertThat(states.get("recent").get("expired").asLong()).isZero();
        assertThat(states.get("last").get("expired").asLong())
                .as("it has no time to live")
                .isEqualTo(-1);
        JsonNode visits = states.get("visits");
        assertThat(visits.get("entries").asLong()).isEqualTo(InspectedJob.EVENTS);
        assertThat(visits.get("keys").asLong()).isEqualTo(keys);
        JsonNode largest = visits.get("largestKeys").get(0);
        assertThat(largest.get("key").asText()).isEqualTo("hot");
        assertThat(largest.get("entries").asLong()).isEqualTo(InspectedJob.EVENTS / 10);
        long inGroups = 0;
        for (JsonNode count : visits.get("keysByKeyGroup")) {
            inGroups += count.asLong();
        }
        assertThat(inGroups).isEqualTo(keys);
        long timers = states.entrySet().stream()
                .filter(state -> state.getKey().contains("event_user-timers"))
                .mapToLong(state -> state.getValue().get("entries").asLong())
                .sum();
        assertThat(timers).isEqualTo(InspectedJob.EVENTS);
    }

    @Test
    void entriesOfAKeyAreShown() throws Exception {
        for (Path snapshot : List.of(checkpoint, canonical)) {
            assertThat(shell.run("inspect", snapshot.toString(), "--key", "user-7", "--state", "profile"))
                    .isZero();
            assertThat(shell.out().lines()).hasSize(1);
            JsonNode line = new ObjectMapper().readTree(shell.out());
            assertThat(line.get("operator").asText()).isEqualTo("Keeper");
            assertThat(line.get("key").asText()).isEqualTo("user-7");
            assertThat(line.get("value").get("visits").asInt()).isEqualTo(InspectedJob.EVENTS / 500);

            assertThat(shell.run("inspect", snapshot.toString(), "--grep", "visit 1234$"))
                    .isZero();
            assertThat(shell.out().lines()).hasSize(1);
            assertThat(shell.out()).contains("\"mapKey\":1234", "\"key\":\"user-234\"");
        }
    }

    @Test
    void samplesAndExportsHaveAsManyLinesAsAsked() throws Exception {
        assertThat(shell.run("inspect", checkpoint.toString(), "--sample", "3")).isZero();
        assertThat(shell.out().lines().count()).isBetween(6L * 3, 9L * 3);

        Path file = copies.resolve("visits.csv");
        assertThat(shell.run(
                        "inspect",
                        canonical.toString(),
                        "--state",
                        "visits",
                        "--export",
                        "csv",
                        "--to",
                        file.toString()))
                .as(shell.err())
                .isZero();
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(InspectedJob.EVENTS + 1);
        assertThat(lines.get(0)).isEqualTo("operator,subtask,state,keyGroup,key,namespace,mapKey,value");
        assertThat(lines).anyMatch(line -> line.endsWith(",user-7,,7,visit 7"));
        assertThat(shell.run("inspect", canonical.toString(), "--export", "csv", "--to", file.toString()))
                .isEqualTo(1);
    }

    @Test
    void aStateThatThereIsNotIsASentence() {
        for (String option : List.of("--scan", "--sample=1")) {
            assertThat(shell.run("inspect", checkpoint.toString(), option, "--state", "lats"))
                    .isOne();
            assertThat(shell.err())
                    .contains("There is no state 'lats'; expected one of ", "last")
                    .hasLineCount(1);
        }
    }

    /** Takes so many characters, and then no more. */
    private static final class EndedReader extends FilterWriter {
        private int left;

        EndedReader(int characters) {
            super(Writer.nullWriter());
            left = characters;
        }

        @Override
        public void write(char[] buffer, int offset, int length) throws IOException {
            left -= length;
            if (left < 0) {
                throw new IOException("Broken pipe");
            }
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            write(text.toCharArray(), offset, length);
        }
    }

    @Test
    void anOutputThatTakesNoMoreIsASentenceAndEndsTheReading() {
        EndedReader reader = new EndedReader(10_000);
        StringWriter err = new StringWriter();
        int exit = Drey.commandLine()
                .setOut(new PrintWriter(reader, true))
                .setErr(new PrintWriter(err, true))
                .execute("inspect", checkpoint.toString(), "--state", "visits", "--export", "jsonl");
        assertThat(exit).isOne();
        assertThat(err.toString())
                .contains("The output could not be written to its end")
                .hasLineCount(1);
        assertThat(reader.left).as("of some 2 MB").isGreaterThan(-500_000);
    }

    @Test
    void aDifferenceNamesWhatGrew() throws Exception {
        assertThat(shell.run("inspect", "diff", firstCheckpoint.toString(), checkpoint.toString()))
                .as(shell.err())
                .isZero();
        assertThat(shell.out()).containsPattern("visits +451 +451 +0 +0 +0");
        JsonNode states = json("inspect", "diff", checkpoint.toString(), canonical.toString(), "--json");
        assertThat(states).hasSizeGreaterThan(5);
        for (JsonNode state : states) {
            boolean isTimed = state.get("state").asText().equals("recent");
            assertThat(state.get("changed").asLong())
                    .as("of two runs of one job only times of access differ: %s", state)
                    .isEqualTo(isTimed ? InspectedJob.USERS + 1 : 0);
        }
    }

    @Test
    void verifyingReadsAllFiles() {
        for (Path snapshot : List.of(checkpoint, canonical)) {
            assertThat(shell.run("inspect", snapshot.toString(), "--verify"))
                    .as(shell.err())
                    .isZero();
            assertThat(shell.out()).containsPattern("Verified .* every checksum is right");
        }
    }

    @Test
    void aCopyElsewhereIsAsGoodAsTheOriginal() throws Exception {
        Path copy = copy();
        Files.move(checkpoint.getParent(), checkpoint.getParent().resolveSibling("hidden"));
        try {
            assertThat(shell.run("inspect", copy.toString(), "--verify"))
                    .as(shell.err())
                    .isZero();
        } finally {
            Files.move(checkpoint.getParent().resolveSibling("hidden"), checkpoint.getParent());
        }
    }

    @Test
    void whatItsJobDeletesMeanwhileIsSaidToBeGone() throws Exception {
        Path copy = copy();
        Files.move(checkpoint.getParent(), checkpoint.getParent().resolveSibling("hidden"));
        try (PageServer server = new PageServer(copy, null, 0)) {
            FileUtils.deleteDirectory(copy.getParent().toFile());
            String operator = new ObjectMapper()
                    .readTree(get(server, "/overview"))
                    .at("/overview/operators/0/id")
                    .asText();
            assertThat(get(server, "/rows?state=last&operator=" + operator))
                    .contains(copy + " was deleted while it was read", "num-retained");
        } finally {
            Files.move(checkpoint.getParent().resolveSibling("hidden"), checkpoint.getParent());
        }
    }

    @Test
    void aPathMayHaveCharactersThatAnAddressEscapes() throws Exception {
        Path odd = Files.createDirectory(copies.resolve(OddName.text()));
        Path to = odd.resolve("all rows.csv");
        for (Path snapshot : List.of(checkpoint.getParent(), canonical, unpacked)) {
            Path copy = odd.resolve(snapshot.getFileName());
            copy(snapshot, copy);
            Path hidden = snapshot.resolveSibling("hidden");
            Files.move(snapshot, hidden);
            try {
                for (List<String> command : List.of(
                        List.of("--verify"), List.of("--scan"), List.of("--export", "csv", "--to", to.toString()))) {
                    List<String> words = new ArrayList<>(List.of("inspect", copy.toString()));
                    words.addAll(command);
                    assertThat(shell.run(words.toArray(String[]::new)))
                            .as(shell.err())
                            .isZero();
                }
                assertThat(Files.readAllLines(to)).hasSizeGreaterThan(InspectedJob.EVENTS);
                Files.delete(to);
                assertThat(shell.run("inspect", "diff", copy.toString(), copy.toString()))
                        .as(shell.err())
                        .isZero();
            } finally {
                Files.move(hidden, snapshot);
            }
        }
    }

    private static String get(PageServer server, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(server.address().resolve(path)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The checkpoint and the files that it shares, elsewhere; its handles still name the original. */
    private Path copy() throws IOException {
        copy(checkpoint.getParent(), copies.resolve("copy"));
        return copies.resolve("copy").resolve(checkpoint.getFileName());
    }

    private static void copy(Path from, Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path to = directory.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(file, to);
                }
            }
        }
    }

    @Test
    void damageIsASentenceWithFileAndOffset() throws Exception {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(checkpoint.getParent())) {
            all.filter(Files::isRegularFile).filter(this::isPart).forEach(files::add);
        }
        assertThat(files).hasSizeGreaterThan(4);
        for (Path file : files) {
            byte[] whole = Files.readAllBytes(file);
            byte[] flipped = whole.clone();
            boolean isMetadata = file.endsWith("_metadata");
            flipped[isMetadata ? 1 : whole.length / 2] ^= 4;
            try {
                if (FileKind.of(file) != null) {
                    // The state of the source is Flink's, which has no checksum.
                    refused(file, flipped);
                }
                refused(file, java.util.Arrays.copyOf(whole, whole.length / 2));
                refused(file, "something else".getBytes(java.nio.charset.StandardCharsets.UTF_8));
                refused(file, new byte[0]);
            } finally {
                Files.write(file, whole);
            }
        }
        verifyingReadsAllFiles();
    }

    @Test
    void aCanonicalSavepointThatWasCutIsASentence() throws Exception {
        Path largest = largest(canonical);
        byte[] whole = Files.readAllBytes(largest);
        Files.write(largest, java.util.Arrays.copyOf(whole, whole.length / 2));
        try {
            assertThat(shell.run("inspect", canonical.toString(), "--verify")).isEqualTo(1);
            assertThat(shell.err())
                    .contains(largest + " is damaged at byte " + whole.length / 2, whole.length + " bytes")
                    .hasLineCount(1);
            String to = copies.resolve("all.csv").toString();
            assertThat(shell.run("inspect", canonical.toString(), "--export", "csv", "--to", to))
                    .isEqualTo(1);
            assertThat(copies).as("what is left of a failed export").isEmptyDirectory();
        } finally {
            Files.write(largest, whole);
        }
        verifyingReadsAllFiles();
    }

    private static Path largest(Path snapshot) throws IOException {
        try (Stream<Path> files = Files.list(snapshot)) {
            return files.filter(file -> !file.endsWith("_metadata"))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    @Test
    void aFileThatCannotBeOpenedIsNamedWithOperatorAndSubtask() throws IOException {
        Path copy = copies.resolve("copy");
        copy(unpacked, copy);
        Files.delete(largest(copy));
        assertThat(shell.run("inspect", copy.toString(), "--scan")).isOne();
        assertThat(shell.err())
                .containsPattern("Cannot open (run|value log) .* of operator Keeper, subtask [01]: ")
                .hasLineCount(1);
        assertThat(shell.out()).containsPattern("(?m)^Keeper ").contains("?");
        assertThat(shell.run("inspect", copy.toString())).isOne();
        assertThat(shell.err())
                .contains("Some of its files are damaged or missing. Cannot open ")
                .hasLineCount(1);
    }

    private static int find(byte[] bytes, byte[] wanted, int from) {
        for (int i = from; i <= bytes.length - wanted.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }

    /** One bit each: in the header, and in the length of a photo, so that it is negative. */
    @Test
    void aBitThatFlippedInACanonicalSavepointIsASentence() throws Exception {
        Path largest = largest(canonical);
        byte[] whole = Files.readAllBytes(largest);
        int length = find(whole, new byte[] {0, 0, 16, 4, 0, 0, 16, 0}, 0);
        assertThat(length).isPositive();
        try {
            for (int at : new int[] {0, length}) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) 0x80;
                Files.write(largest, flipped);
                for (List<String> command : List.of(List.of("--verify"), List.of("--scan"), List.of("--sample", "9"))) {
                    List<String> words = new ArrayList<>(List.of("inspect", canonical.toString()));
                    words.addAll(command);
                    assertThat(shell.run(words.toArray(String[]::new)))
                            .as(command + " at " + at)
                            .isIn(0, 1);
                    assertThat(shell.err().lines().count()).as(shell.err()).isLessThan(2);
                }
                assertThat(shell.run("inspect", canonical.toString(), "--verify"))
                        .isOne();
                assertThat(shell.err()).contains(largest.toString()).hasLineCount(1);
            }
        } finally {
            Files.write(largest, whole);
        }
    }

    @Test
    void verifyingSaysThatRowsWithoutTheirClassesWereNotRead() throws Exception {
        try (Stream<Path> files = Files.list(canonical)) {
            for (Path file : files.filter(each -> !each.endsWith("_metadata")).toList()) {
                rename(file);
            }
        }
        try {
            assertThat(shell.run("inspect", canonical.toString(), "--verify"))
                    .as(shell.err())
                    .isZero();
            assertThat(shell.out())
                    .containsPattern("Verified .* Rows were not read: Class .*Profilf is missing.*--classpath");
        } finally {
            try (Stream<Path> files = Files.list(canonical)) {
                for (Path file :
                        files.filter(each -> !each.endsWith("_metadata")).toList()) {
                    rename(file);
                }
            }
        }
        verifyingReadsAllFiles();
    }

    /** Renames the job's class in a file, or gives it its name back. */
    private static void rename(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        byte[] name = "InspectedJob$Profil".getBytes(StandardCharsets.US_ASCII);
        for (int at = find(bytes, name, 0); at >= 0; at = find(bytes, name, at + 1)) {
            bytes[at + name.length] ^= 'e' ^ 'f';
        }
        Files.write(file, bytes);
    }

    /** Whether the checkpoint needs a file: others beside it are of other checkpoints. */
    private boolean isPart(Path file) {
        Path aside = file.resolveSibling("aside");
        assertThat(file.toFile().renameTo(aside.toFile())).isTrue();
        int exit = shell.run("inspect", checkpoint.toString(), "--verify");
        assertThat(aside.toFile().renameTo(file.toFile())).isTrue();
        return exit != 0;
    }

    private void refused(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        assertThat(shell.run("inspect", checkpoint.toString(), "--verify"))
                .as(file.toString())
                .isEqualTo(1);
        assertThat(shell.err())
                .startsWith("drey: ")
                .containsPattern(file.getFileName() + "|" + file.getParent())
                .containsPattern("byte |bytes");
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    @Test
    void whatIsForeignIsASentence() throws Exception {
        Path text = Files.writeString(copies.resolve("notes.txt"), "hello, world");
        assertThat(shell.run("inspect", text.toString())).isEqualTo(1);
        assertThat(shell.err()).contains("notes.txt is not one that can be looked into", "at byte 0", "hello, w");
        assertThat(shell.run("inspect", copies.resolve("nix").toString())).isEqualTo(1);
        assertThat(shell.err()).contains("There is nothing at");
        assertThat(shell.run(
                        "inspect",
                        Files.createDirectory(copies.resolve("empty")).toString()))
                .isEqualTo(1);
        assertThat(shell.err()).contains("holds nothing that can be looked into");
        assertThat(shell.run("inspect")).isEqualTo(2);
    }

    @Test
    void singleFilesTellWhatTheyAre() throws Exception {
        List<Path> files = new ArrayList<>();
        for (Path directory : List.of(checkpoint.getParent(), unpacked)) {
            try (Stream<Path> all = Files.walk(directory)) {
                all.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        String found = "";
        for (Path file : files) {
            boolean isKnown = FileKind.of(file) != null;
            assertThat(shell.run("inspect", file.toString(), "--verify"))
                    .as(shell.err())
                    .isEqualTo(isKnown ? 0 : 1);
            found += shell.out();
        }
        assertThat(found)
                .contains(
                        "a run of Drey",
                        "a value log of Drey",
                        "a pack of Drey",
                        "a manifest of Drey",
                        "All checksums are right",
                        "Its own checksum is right. Of the files that it lists none was read",
                        "row tombstones");
    }

    @Test
    void whatCannotBeWrittenOrServedIsNamed() throws Exception {
        Path nowhere = scratch.resolve("nix/x.csv");
        assertThat(shell.run("inspect", checkpoint.toString(), "--export", "csv", "--to", nowhere.toString()))
                .isEqualTo(1);
        assertThat(shell.err())
                .isEqualTo("drey: File " + nowhere + " cannot be written: its directory does not exist.\n");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThat(shell.run("inspect", checkpoint.toString(), "--web=" + port))
                    .isEqualTo(1);
            assertThat(shell.err())
                    .startsWith("drey: Port " + port + " cannot be used: ")
                    .hasLineCount(1);
        }
        String full = "File x could not be written to its end: is its disk full?";
        assertThat(Sentence.of(new IOException(full))).isEqualTo(full);
    }

    @Test
    void snapshotsOfOtherBackendsAreRead() throws Exception {
        for (String backend : List.of("rocksdb", "hashmap")) {
            Path home = scratch.resolve(backend);
            Path taken;
            Path savepoint;
            try (InspectedJob job = new InspectedJob(backend, home)) {
                taken = job.checkpoint();
                assertThat(shell.run("inspect", taken.toString(), "--verify"))
                        .as(shell.err())
                        .isZero();
                assertThat(shell.out())
                        .as("files of RocksDB and ForSt look alike")
                        .contains("of " + (backend.equals("rocksdb") ? "RocksDB or ForSt " : "HashMap "))
                        .containsPattern("words +list +String +none +List<String>");
                assertThat(shell.run("inspect", taken.toString(), "--scan")).isEqualTo(1);
                assertThat(shell.err()).contains("Take a canonical savepoint").doesNotContain("There is nothing");
                savepoint = job.savepoint(home.resolve("savepoints"), SavepointFormatType.CANONICAL);
            }
            countsAreRight(savepoint);
        }
    }
}
