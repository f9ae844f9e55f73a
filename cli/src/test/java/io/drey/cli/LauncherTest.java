package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the script gives to Java: here one that only prints its environment. */
@Timeout(60)
class LauncherTest {
    private static final String JAVA = """
            #!/bin/sh
            case "$*" in
                *-version*) echo "    java.specification.version = 17" ;;
                *) env; echo "arguments $*" ;;
            esac
            """;

    @TempDir
    private Path home;

    private static Path executable(Path file) throws IOException {
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** Variables of the locale that Java has, where these are set, each as {@code NAME=value}. */
    private List<String> locale(String command, String... set) throws Exception {
        return output(command, set).stream()
                .filter(each -> each.startsWith("LC_") || each.startsWith("LANG="))
                .toList();
    }

    private List<String> output(String command, String... set) throws Exception {
        Files.createDirectories(home.resolve("cli/target/lib"));
        Path bin = Files.createDirectories(home.resolve("jdk/bin"));
        executable(Files.writeString(bin.resolve("java"), JAVA));
        Path script = executable(
                Files.copy(Path.of("..", "drey"), home.resolve("drey"), StandardCopyOption.REPLACE_EXISTING));
        ProcessBuilder builder = new ProcessBuilder(script.toString(), command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(each -> each.startsWith("LC_") || each.startsWith("LANG"));
        builder.environment().remove("HADOOP_CLASSPATH");
        builder.environment().put("JAVA_HOME", bin.getParent().toString());
        for (String each : set) {
            String[] parts = each.split("=", 2);
            builder.environment().put(parts[0], parts[1]);
        }
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    /** By them it knows what is wrong with a disk; names of files are of the user's character set as before. */
    @Test
    void aShuffleWorkerHearsTheSystemsWordsInEnglish() throws Exception {
        assertThat(locale("shuffle-worker", "LC_ALL=de_DE.UTF-8", "LC_CTYPE=C", "LC_MESSAGES=fr_FR"))
                .containsExactlyInAnyOrder("LC_CTYPE=de_DE.UTF-8", "LC_MESSAGES=C");
    }

    @Test
    void withoutALocaleForAllTheOthersStay() throws Exception {
        assertThat(locale("shuffle-worker", "LANG=de_DE.UTF-8", "LC_ALL=", "LC_CTYPE=pl_PL.UTF-8"))
                .containsExactlyInAnyOrder("LANG=de_DE.UTF-8", "LC_CTYPE=pl_PL.UTF-8", "LC_MESSAGES=C");
    }

    @Test
    void otherCommandsKeepTheirLocale() throws Exception {
        assertThat(locale("demo", "LC_ALL=de_DE.UTF-8")).containsExactly("LC_ALL=de_DE.UTF-8");
    }

    @Test
    void withoutAnyLocaleLettersAreThoseOfUtf8() throws Exception {
        assertThat(locale("inspect")).containsExactly("LC_CTYPE=C.UTF-8");
        assertThat(locale("shuffle-worker")).containsExactlyInAnyOrder("LC_CTYPE=C.UTF-8", "LC_MESSAGES=C");
        assertThat(locale("inspect", "LANG=de_DE@euro")).containsExactly("LANG=de_DE@euro");
    }

    private String arguments(String command, String... set) throws Exception {
        return output(command, set).stream()
                .filter(each -> each.startsWith("arguments "))
                .findFirst()
                .orElseThrow();
    }

    /** With two of them Java would not start. */
    @Test
    void aGarbageCollectorOfTheUsersTakesThePlaceOfOurs() throws Exception {
        assertThat(arguments("shuffle-worker")).contains("-XX:+UseParallelGC");
        assertThat(arguments("shuffle-worker", "DREY_JAVA_OPTS=-Xmx1g -XX:+UseGCOverheadLimit"))
                .contains("-XX:+UseParallelGC");
        assertThat(arguments("shuffle-worker", "DREY_JAVA_OPTS=-XX:+UseZGC -Xmx1g"))
                .doesNotContain("UseParallelGC")
                .contains("-XX:+UseZGC -Xmx1g");
        assertThat(arguments("shuffle-worker", "JAVA_TOOL_OPTIONS=-XX:+UseSerialGC"))
                .doesNotContain("UseParallelGC");
    }

    /** Which a user may have exported for his shell. */
    @Test
    void itFindsItsFilesWhateverTheSearchPathOfDirectoriesIs() throws Exception {
        output("demo");
        Path other = Files.createDirectories(home.resolve("other").resolve(home.getFileName()));
        ProcessBuilder builder = new ProcessBuilder("sh", home.getFileName() + "/drey", "demo")
                .directory(home.getParent().toFile());
        builder.redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        for (String search : new String[] {other.getParent().toString(), "."}) {
            builder.environment().put("CDPATH", search);
            Process process = builder.start();
            process.getOutputStream().close();
            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("-Ddrey.home=" + home.toRealPath() + " ");
        }
    }

    /** As Flink has it, whose file system of HDFS needs the user's Hadoop. */
    @Test
    void theAuditHasHadoopBehindTheRest() throws Exception {
        assertThat(arguments("checkpoints", "HADOOP_CLASSPATH=/etc/hadoop:/opt/hadoop/*"))
                .endsWith("/cli/target/lib/*:/etc/hadoop:/opt/hadoop/* io.drey.cli.Drey checkpoints");
        assertThat(arguments("checkpoints")).endsWith("/cli/target/lib/* io.drey.cli.Drey checkpoints");
        assertThat(arguments("demo", "HADOOP_CLASSPATH=/etc/hadoop"))
                .endsWith("/cli/target/lib/* io.drey.cli.Drey demo");
    }

    /** As of one whose working directory was deleted: its first line says only that it failed. */
    @Test
    void ofAJavaThatDoesNotStartItTellsTheReason() throws Exception {
        Path bin = Files.createDirectories(home.resolve("broken/bin"));
        executable(Files.writeString(bin.resolve("java"), """
                #!/bin/sh
                printf 'Error occurred\\nError: the reason\\nat the third line\\n' >&2
                exit 1
                """));
        ProcessBuilder builder = new ProcessBuilder(Path.of("..", "drey").toString(), "demo").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", bin.getParent().toString());
        Process process = builder.start();
        process.getOutputStream().close();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "drey: Java at " + bin.resolve("java") + " does not run: Error occurred Error: the reason\n");
        assertThat(process.waitFor()).isOne();
    }
}
