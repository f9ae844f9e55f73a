package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The samples of dist/shuffle suit the worker, each other and the guide. */
final class ShuffleDeploymentTest {
    /** A stop closes connections for up to 10 s, and waits 60 s for a disk that hangs, after the drain. */
    private static final int END_SECONDS = 70;

    private static String sample(String name) throws IOException {
        return Files.readString(House.root().resolve("dist/shuffle").resolve(name));
    }

    /** What a pattern's group finds, each time. */
    private static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult each) -> each.group(1))
                .toList();
    }

    private static List<String> names(String registries) {
        return List.of(registries.split(",\\s*"));
    }

    @Test
    void aWorkerIsNotKilledWhileItStops() throws IOException {
        List<String> seconds = List.of(
                all("TimeoutStopSec=(\\d+)", sample("drey-shuffle-worker.service"))
                        .get(0),
                all("terminationGracePeriodSeconds: (\\d+)", sample("kubernetes.yaml"))
                        .get(0));
        long drainSeconds = WorkerOptions.of(Path.of("any")).drainTimeout().toSeconds();
        assertThat(seconds)
                .allSatisfy(each -> assertThat(Long.parseLong(each)).isGreaterThan(drainSeconds + END_SECONDS));
    }

    @Test
    void workersOfAStatefulSetAreSpreadAndNodesEmptiedOneByOne() throws IOException {
        String manifest = sample("kubernetes.yaml");
        assertThat(all("(?m)^kind: (\\w+)", manifest)).contains("StatefulSet", "PodDisruptionBudget");
        assertThat(all("(?m)^ +(maxUnavailable: .*)", manifest)).containsExactly("maxUnavailable: 1");
        assertThat(all("topologyKey: (.*)", manifest)).containsExactly("kubernetes.io/hostname");
        assertThat(all("app: (.*)", manifest))
                .as("of the pods, and of all that select them")
                .hasSize(5)
                .containsOnly("drey-shuffle");
    }

    @Test
    void filesOfAServiceAreForItsUserAlone() throws IOException {
        assertThat(sample("drey-shuffle-worker.service")).contains("\nStateDirectoryMode=0700\n", "\nUMask=0077\n");
    }

    /** Else a namespace whose pod security is "restricted" has no pod of them. */
    @Test
    void podsAskForNothingThatARestrictedNamespaceForbids() throws IOException {
        assertThat(sample("kubernetes.yaml"))
                .contains(
                        "runAsNonRoot: true", "type: RuntimeDefault", "allowPrivilegeEscalation: false", "drop: [ALL]");
    }

    @Test
    void theGuideNamesTheRegistriesOfTheManifest() throws IOException {
        String guide = Files.readString(House.root().resolve("docs/guide/shuffle.md"));
        List<String> ofFlink = all("registry: (drey-shuffle-0[^#]*?)\\n +drey.shuffle.secret", guide);
        List<String> ofWorkers =
                all("- registry=(.*)", sample("kubernetes.yaml").replace("$(NAMESPACE)", "batch"));
        assertThat(ofFlink).hasSize(1);
        assertThat(names(ofFlink.get(0))).isEqualTo(names(ofWorkers.get(0))).hasSize(3);
    }
}
