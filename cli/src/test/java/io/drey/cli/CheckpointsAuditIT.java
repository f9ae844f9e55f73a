package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.InspectedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audits the checkpoints of a real job, with what killed processes, other jobs and damaged disks leave there. */
class CheckpointsAuditIT {
    private static final String DREY = "io.drey.flink.state.DreyStateBackendFactory";

    /** Written for the first checkpoint by a store that is none of the job's. */
    private static final String LEFTOVER = "drey-1-7-00000000000000aa";

    @TempDir
    static Path scratch;

    /** The directory of a job with the retained checkpoints 1 and 2, and maybe one that was triggered at the end. */
    private static Path original;

    private final Shell shell = new Shell();

    @TempDir
    private Path copies;

    /** A copy of it, hours old but for times that differ by as much. */
    private Path job;

    @BeforeAll
    static void runJob() throws Exception {
        try (InspectedJob job = new InspectedJob(DREY, scratch)) {
            job.checkpoint();
            original = job.checkpoint().getParent();
        }
    }

    @BeforeEach
    void copy() throws IOException {
        job = copies.resolve(original.getFileName());
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.toList()) {
                Path target = job.resolve(original.relativize(file).toString());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                if (Files.isRegularFile(file)) {
                    Instant written = Files.getLastModifiedTime(file).toInstant();
                    Files.setLastModifiedTime(target, FileTime.from(written.minus(5, ChronoUnit.HOURS)));
                }
            }
        }
        assertThat(job.resolve("chk-1")).exists();
        assertThat(job.resolve("chk-2")).exists();
    }

    private Path plant(String path, int hoursAgo) throws IOException {
        Path file = job.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "12345");
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(hoursAgo, ChronoUnit.HOURS)));
        return file;
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(copies)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> copies.relativize(file).toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private String out(int exit, String... more) {
        String[] arguments = Stream.concat(Stream.of("checkpoints", "audit"), Stream.of(more))
                .toArray(String[]::new);
        assertThat(shell.run(arguments)).as(shell.out() + shell.err()).isEqualTo(exit);
        return shell.out();
    }

    @Test
    void whatCheckpointsListIsToldAndStays() throws IOException {
        Set<String> before = files();
        assertThat(out(0, job.toString(), "--delete"))
                .contains("  chk-1 of 20", "  chk-2 of 20")
                .containsPattern("files?, .* listed by chk-2\\b")
                .endsWith("0 files, 0 B, deleted.\n");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void filesLeftByAKillAreFoundAndDeletedWhenAskedFor() throws IOException {
        Set<String> before = files();
        Path leftover = plant("shared/" + LEFTOVER, 7);
        assertThat(out(3, copies.toString()))
                .contains("1 file, 5.00 B garbage: no checkpoint lists it", "    shared/" + LEFTOVER)
                .contains("1 file, 5.00 B to delete: drey checkpoints audit " + copies + " --delete");
        assertThat(out(3, copies.toString(), "--older-than", "6h"))
                .endsWith(" drey checkpoints audit " + copies + " --older-than 6h --delete\n");
        assertThat(leftover).exists();
        assertThat(out(0, copies.toString(), "--delete")).contains("1 file, 5.00 B, deleted.");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void theDirectoryOfACheckpointThatNeverCompletedIsDeleted() throws IOException {
        Set<String> before = files();
        before.removeIf(file -> file.contains("/chk-1/"));
        Files.delete(job.resolve("chk-1/_metadata"));
        Files.setLastModifiedTime(
                job.resolve("chk-1"), FileTime.from(Instant.now().minus(7, ChronoUnit.HOURS)));
        out(0, job.toString(), "--delete");
        assertThat(job.resolve("chk-1")).doesNotExist();
        Set<String> after = files();
        assertThat(after).allMatch(before::contains);
        assertThat(after.stream().filter(file -> file.contains("/chk-2/")))
                .containsExactlyElementsOf(
                        before.stream().filter(file -> file.contains("/chk-2/")).toList());
    }

    @Test
    void whatACheckpointUnderWayMayNeedStays() throws IOException {
        plant("shared/" + LEFTOVER, 0);
        plant("shared/drey-9-7-00000000000000aa", 7);
        plant("chk-9/11111111-2222-3333-4444-555555555555", 7);
        Set<String> before = files();
        assertThat(out(0, job.toString(), "--delete", "--older-than", "0s"))
                .contains("maybe of a checkpoint under way");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void whatWasWrittenLatelyStays() throws IOException {
        plant("shared/" + LEFTOVER, 7);
        Set<String> before = files();
        assertThat(out(0, job.toString(), "--delete", "--older-than", "12h")).contains("garbage, but written lately");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void foreignFilesAndDirectoriesStay() throws IOException {
        plant("shared/11111111-2222-3333-4444-555555555555", 7);
        plant("taskowned/" + LEFTOVER, 7);
        plant("notes/" + LEFTOVER, 7);
        plant("../notes/shared.txt", 7);
        plant("../" + "0".repeat(32) + "/shared/" + LEFTOVER, 7);
        Set<String> before = files();
        assertThat(out(0, copies.toString(), "--delete"))
                .contains("its name does not say who may need it", "no checkpoint is retained here");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void aKeptCopyOfACheckpointKeepsItsFiles() throws IOException {
        plant("shared/" + LEFTOVER, 7);
        Files.move(job.resolve("chk-1"), job.resolve("kept"));
        out(0, job.toString(), "--delete");
        JsonNode files = json(0).at("/jobs/0/files");
        assertThat(files).anyMatch(file -> file.get("listedBy").toString().contains("a kept copy"));
    }

    @Test
    void damagedMetadataDeletesNothing() throws IOException {
        plant("shared/" + LEFTOVER, 7);
        Path metadata = job.resolve("chk-1/_metadata");
        byte[] bytes = Files.readAllBytes(metadata);
        for (int length : new int[] {0, 3, bytes.length / 2, bytes.length - 1}) {
            Files.write(metadata, java.util.Arrays.copyOf(bytes, length));
            Set<String> before = files();
            assertThat(out(1, job.toString(), "--delete"))
                    .contains("NOTHING IS DELETED HERE: " + metadata + " cannot be read (");
            assertThat(files()).isEqualTo(before);
        }
    }

    /** Here and where it is listed: the directory may have had another path. */
    @Test
    void aMissingFileDeletesNothingAndIsNamed() throws IOException {
        plant("shared/" + LEFTOVER, 7);
        Path lost = sharedFileOfTheLastCheckpoint();
        Files.delete(lost);
        Path listed = original.resolve("shared").resolve(lost.getFileName());
        Path aside = Files.move(listed, scratch.resolve("aside"));
        Set<String> before = files();
        assertThat(out(1, job.toString(), "--delete"))
                .contains("files that are not there", lost.getFileName().toString());
        assertThat(files()).isEqualTo(before);
        Files.move(aside, listed);
        assertThat(out(3, job.toString())).doesNotContain("files that are not there");
    }

    /** One of an older one may be missing because the job is deleting it, which takes a minute to find out. */
    private Path sharedFileOfTheLastCheckpoint() throws IOException {
        JsonNode audited = json(3).at("/jobs/0");
        List<String> ids = audited.get("checkpoints").findValuesAsText("id");
        String last = "chk-" + ids.get(ids.size() - 1);
        for (JsonNode file : audited.get("files")) {
            Path path = Path.of(file.get("path").asText());
            if (path.getParent().endsWith("shared")
                    && file.get("listedBy").toString().contains(last)) {
                return job.resolve("shared").resolve(path.getFileName());
            }
        }
        throw new AssertionError("expected " + last + " to list a shared file, found none");
    }

    @Test
    void aClaimThatCannotBeLookedIntoDeletesNothing() throws IOException {
        plant("shared/" + LEFTOVER, 7);
        Path claim = plant("shared/drey-claim-0123456789abcdef", 7);
        assertThat(out(1, job.toString(), "--delete")).contains("If that job is gone, delete that file");
        Files.writeString(claim, "drey claim 1\n" + copies.resolve("gone") + "\n");
        assertThat(out(1, job.toString(), "--delete"))
                .contains("belong to a job with checkpoints in " + copies.resolve("gone") + ", where there are none");
        assertThat(job.resolve("shared").resolve(LEFTOVER)).exists();
        Files.delete(claim);
        out(0, job.toString(), "--delete");
        assertThat(job.resolve("shared").resolve(LEFTOVER)).doesNotExist();
    }

    private JsonNode json(int exit) throws IOException {
        return new ObjectMapper().readTree(out(exit, job.toString(), "--json"));
    }

    @Test
    void theJsonHasEveryFile() throws IOException {
        plant("shared/" + LEFTOVER, 7);
        JsonNode audited = json(3).at("/jobs/0");
        assertThat(audited.get("path").asText()).isEqualTo(job.toString());
        assertThat(audited.get("checkpoints").findValuesAsText("id")).startsWith("1", "2");
        int listed = 0;
        for (JsonNode file : audited.get("files")) {
            boolean leftover = file.get("path").asText().endsWith(LEFTOVER);
            assertThat(file.get("need").asText()).isEqualTo(leftover ? "garbage" : "listed");
            listed += leftover ? 0 : 1;
        }
        assertThat(listed).isGreaterThan(2);
    }

    @Test
    void whatCannotBeLookedIntoIsASentence() throws IOException {
        assertThat(shell.run("checkpoints", "audit", copies.resolve("nix").toString()))
                .isEqualTo(1);
        assertThat(shell.err()).isEqualTo("drey: There is no directory " + copies.resolve("nix") + ".\n");
        assertThat(shell.run("checkpoints", "audit", job.resolve("chk-1").toString()))
                .isEqualTo(1);
        assertThat(shell.err()).contains("holds no checkpoints: expected chk-N and shared");
        assertThat(shell.run("checkpoints", "audit", "s3:")).isEqualTo(1);
        assertThat(shell.err()).isEqualTo("drey: 's3:' is neither a path nor a URI.\n");
        assertThat(shell.run("checkpoints", "audit", "nosuch://bucket/checkpoints"))
                .isEqualTo(1);
        assertThat(shell.err()).startsWith("drey: ").contains("nosuch");
        assertThat(shell.run("checkpoints", "audit", job.toString(), "--older-than", "soon"))
                .isEqualTo(2);
        assertThat(shell.run("checkpoints")).isEqualTo(2);
    }
}
