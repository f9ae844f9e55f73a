package io.drey.shuffle.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import io.drey.shuffle.protocol.message.Membership.Exclude;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.WorkerReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Health follows silence; exclusions outlive the registry. */
final class WorkerRegistryTest {
    private static final ListWorkers ALL = new ListWorkers(List.of());

    private static final Path FILE = Path.of("exclusions");

    private byte[] kept = {};
    private final CompletableFuture<Void> keeping = new CompletableFuture<>();
    private long now;
    private WorkerRegistry registry;

    @BeforeEach
    void open() {
        registry = new WorkerRegistry(() -> now, Exclusions.parse(kept, FILE), list -> {
            kept = list.bytes();
            return keeping;
        });
    }

    private static WorkerReport report(int id, WorkerReport.State state) {
        return new WorkerReport(
                new UUID(0, id),
                new UUID(1, id),
                "host",
                1,
                0,
                "0",
                state,
                new WorkerReport.Load(1, 1, 0, 1, 0, 0, 0, 0));
    }

    private Member only() {
        assertThat(registry.list(ALL).members()).hasSize(1);
        return registry.list(ALL).members().get(0);
    }

    @Test
    void aSilentWorkerIsSuspectedThenLostAndBackWithItsNextWord() {
        registry.heard(report(1, WorkerReport.State.RUNNING));
        now = WorkerRegistry.SUSPECTED_MS - 1;
        assertThat(only().health()).isEqualTo(Health.ALIVE);
        assertThat(only().isOpen()).isTrue();
        now++;
        assertThat(only().health()).isEqualTo(Health.SUSPECTED);
        assertThat(only().isOpen()).isFalse();
        now = WorkerRegistry.LOST_MS;
        assertThat(only().health()).isEqualTo(Health.LOST);
        assertThat(only().silentMs()).isEqualTo(now);
        registry.heard(report(1, WorkerReport.State.DRAINING));
        assertThat(only().health()).isEqualTo(Health.ALIVE);
        assertThat(only().isOpen()).isFalse();
    }

    @Test
    void workersAreFoundById() {
        registry.heard(report(1, WorkerReport.State.RUNNING));
        registry.heard(report(2, WorkerReport.State.RUNNING));
        ListWorkers two = new ListWorkers(List.of(new UUID(0, 2), new UUID(0, 3)));
        assertThat(registry.list(two).members()).hasSize(1);
        assertThat(registry.list(two).members().get(0).report().id()).isEqualTo(new UUID(0, 2));
    }

    @Test
    void exclusionsOutliveTheRegistry() {
        UUID id = new UUID(0, 1);
        registry.exclude(new Exclude(id, true, "its disk\nis slow"));
        open();
        assertThat(registry.heard(report(1, WorkerReport.State.RUNNING))).isTrue();
        assertThat(only().excluded()).isTrue();
        assertThat(only().isOpen()).isFalse();
        assertThat(only().reason()).isEqualTo("its disk is slow");
        registry.exclude(new Exclude(id, false, ""));
        open();
        assertThat(registry.heard(report(1, WorkerReport.State.RUNNING))).isFalse();
        assertThat(only().isOpen()).isTrue();
    }

    @Test
    void anExclusionCountsBeforeItIsKeptAndIsDoneThen() {
        CompletableFuture<Void> done = registry.exclude(new Exclude(new UUID(0, 1), true, ""));
        assertThat(registry.heard(report(1, WorkerReport.State.RUNNING))).isTrue();
        assertThat(done).isNotDone();
        keeping.complete(null);
        assertThat(done).isCompleted();
    }

    @Test
    void eachListHasAHigherNumberWhateverTheClockSays() {
        Exclude first = new Exclude(new UUID(0, 1), true, "");
        Exclusions one = Exclusions.NONE.with(first, 1_000);
        Exclusions two = one.with(new Exclude(new UUID(0, 2), true, ""), 500);
        assertThat(one.number()).isEqualTo(1_000);
        assertThat(two.number()).isEqualTo(1_001);
        assertThat(Exclusions.parse(two.bytes(), FILE)).isEqualTo(two);
    }

    @Test
    void aListOfAnEarlierVersionIsRead() {
        String text = new UUID(0, 1) + " its disk is slow\n\n" + new UUID(0, 2) + "\n";
        assertThat(Exclusions.parse(text.getBytes(UTF_8), FILE))
                .isEqualTo(new Exclusions(0, Map.of(new UUID(0, 1), "its disk is slow", new UUID(0, 2), "")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "#", "# 1x"})
    void aBrokenLineIsASentence(String line) {
        kept = (line + "\n").getBytes(UTF_8);
        assertThatThrownBy(this::open).isInstanceOf(DreyException.class).hasMessageContaining("'" + line + "'");
    }

    @Test
    void aFileThatIsNoTextIsASentenceWithItsName() {
        kept = new byte[] {'a', (byte) 0xff};
        assertThatThrownBy(this::open)
                .isInstanceOf(DreyException.class)
                .hasMessageContainingAll(FILE.toString(), "UTF-8", "delete");
    }

    /** A worker in a container begins with empty directories, as another one, each time that it starts. */
    @Test
    void whoIsSilentForADayIsForgotten() {
        registry.heard(report(1, WorkerReport.State.RUNNING));
        now = 1;
        registry.heard(report(2, WorkerReport.State.RUNNING));
        now = WorkerRegistry.FORGOTTEN_MS - 1;
        registry.heard(report(3, WorkerReport.State.RUNNING));
        assertThat(registry.list(ALL).members()).hasSize(3);
        now++;
        registry.heard(report(3, WorkerReport.State.RUNNING));
        assertThat(registry.list(ALL).members())
                .extracting(each -> each.report().id().getLeastSignificantBits())
                .containsExactlyInAnyOrder(2L, 3L);
        registry.heard(report(1, WorkerReport.State.RUNNING));
        assertThat(registry.list(ALL).members()).hasSize(3);
    }

    @Test
    void theLongestSilentIsForgottenWhenThereAreTooMany() {
        for (int i = 0; i <= WorkerRegistry.WORKERS_MAX; i++) {
            registry.heard(report(i, WorkerReport.State.RUNNING));
        }
        assertThat(registry.list(ALL).members()).hasSize(WorkerRegistry.WORKERS_MAX);
        assertThat(registry.list(new ListWorkers(List.of(new UUID(0, 0)))).members())
                .isEmpty();
    }
}
