package io.drey.flink.state.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local directories of backends last as long as these, and are deleted if their process is killed. */
class InstanceDirectoryTest {
    @TempDir
    private Path base;

    private static InstanceDirectory create(Path base) throws IOException {
        return InstanceDirectory.create(
                List.of(base.toFile()), true, new JobID(), "operator", false, InstanceDirectory.Disks.REAL);
    }

    /** A process that has a local directory until it is killed. */
    static final class Other {
        private Other() {}

        /** @param args the base directory */
        public static void main(String[] args) throws IOException {
            InstanceDirectory directory = create(Path.of(args[0]));
            Files.writeString(directory.parts().get(0).path("file"), "state");
            System.out.println(directory.parts().get(0).path());
            while (System.in.read() >= 0) {
                continue;
            }
        }
    }

    private Process other() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        base.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void whatAKilledProcessHasLeftIsDeletedByTheNextOneAndNotBefore() throws IOException, InterruptedException {
        Process other = other();
        try (BufferedReader output = other.inputReader(StandardCharsets.UTF_8)) {
            Path left = Path.of(output.readLine());
            create(base).use().close();
            assertThat(left.resolve("file")).exists();
            other.destroyForcibly().waitFor();
            assertThat(left.resolve("file")).exists();
            create(base).use().close();
            assertThat(base).isEmptyDirectory();
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    /** In this process they look at each other's locks, and so does another one. */
    @Test
    void whatIsInUseStaysHoweverManyLook() throws IOException, InterruptedException {
        Path alias = Files.createSymbolicLink(base.resolveSibling(base.getFileName() + "-alias"), base);
        InstanceDirectory directory = InstanceDirectory.create(
                List.of(base.toFile(), alias.toFile()),
                true,
                new JobID(),
                "operator",
                false,
                InstanceDirectory.Disks.REAL);
        InstanceDirectory.Lease lease = directory.use();
        create(base).use().close();
        create(alias).use().close();
        Process other = other();
        try (BufferedReader output = other.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isNotNull();
            assertThat(directory.parts().get(0).path()).isDirectory();
        } finally {
            other.destroyForcibly().waitFor();
            Files.delete(alias);
        }
        lease.close();
        assertThat(directory.parts().get(0).path()).doesNotExist();
        create(base).use().close();
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void directoriesOfOneProcessLeaveEachOtherAlone() throws IOException {
        InstanceDirectory.Lease first = create(base).use();
        InstanceDirectory second = create(base);
        InstanceDirectory.Lease last = second.use();
        create(base).use().close();
        assertThat(second.path("file").getParent()).isDirectory();
        first.close();
        assertThat(second.path("file").getParent()).isDirectory();
        last.close();
        assertThat(base).isEmptyDirectory();
    }

    @Test
    void whatOthersKeepThereStays() throws IOException {
        Files.createDirectory(base.resolve("drey_job_by_hand"));
        Files.writeString(base.resolve("mine.lock"), "");
        create(base).use().close();
        assertThat(base.resolve("drey_job_by_hand")).exists();
        assertThat(base.resolve("mine.lock")).exists();
    }

    /** As with a damaged file system; here by paths that are too long. */
    @Test
    void whatAKilledProcessHasLeftAndCannotBeReadKeepsNobodyFromOpening() throws IOException {
        Path left = Files.createDirectory(base.resolve("drey_job_left"));
        Files.createFile(base.resolve("drey_job_left.lock"));
        Path outer = deep(left);
        Path inner = base.resolve("inner");
        deep(Files.createDirectory(inner));
        Files.move(inner, outer.resolve("inner"));
        try {
            InstanceDirectory.Lease mine = create(base).use();
            mine.close();
            assertThat(left).exists();
        } finally {
            Files.move(outer.resolve("inner"), inner);
        }
    }

    /** The last of directories in each other, half as deep as a path may be. */
    private static Path deep(Path directory) throws IOException {
        Path last = directory;
        while (last.toString().length() < 2_300) {
            last = last.resolve("d".repeat(200));
        }
        return Files.createDirectories(last);
    }
}
