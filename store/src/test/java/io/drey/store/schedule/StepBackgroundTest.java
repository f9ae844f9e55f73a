package io.drey.store.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.store.schedule.Background.Urgency;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StepBackgroundTest {
    private final List<String> steps = new ArrayList<>();
    private final StepBackground background = new StepBackground(100);

    private Background.Work work(String name, int count) {
        int[] left = {count};
        return bytes -> {
            assertThat(bytes).isEqualTo(100);
            steps.add(name);
            return --left[0] > 0;
        };
    }

    @Test
    void aStepIsOneOfTheMostUrgentJob() {
        background.submit(Urgency.COMPACTION, work("compaction", 2));
        assertThat(background.step()).isTrue();
        background.submit(Urgency.FLUSH, work("flush", 1));
        assertThat(background.pending()).isEqualTo(2);
        while (background.step()) {
            assertThat(background.pending()).isLessThan(2);
        }
        assertThat(steps).containsExactly("compaction", "flush", "compaction");
    }

    @Test
    void whoWaitsRunsAllOfTheJobAndNothingElse() throws Exception {
        background.submit(Urgency.FLUSH, work("flush", 2));
        Background.Job compaction = background.submit(Urgency.COMPACTION, work("compaction", 3));
        compaction.await();
        assertThat(compaction.isDone()).isTrue();
        assertThat(steps).containsExactly("compaction", "compaction", "compaction");
    }

    @Test
    void aJobCannotWaitForItself() {
        Background.Job[] job = new Background.Job[1];
        job[0] = background.submit(Urgency.FLUSH, bytes -> {
            assertThatThrownBy(() -> job[0].await()).isInstanceOf(IllegalStateException.class);
            return false;
        });
        assertThat(background.step()).isTrue();
        assertThat(job[0].isDone()).isTrue();
    }
}
