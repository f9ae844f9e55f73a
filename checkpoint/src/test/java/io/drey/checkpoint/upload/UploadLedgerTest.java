package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class UploadLedgerTest {
    private final UploadLedger<String> ledger = UploadLedger.empty();

    private static void upload(UploadLedger<String> ledger, long id, String... files) {
        UploadPlan<String> plan = begin(ledger, id, handle -> true, files);
        assertThat(ledger.uploaded(id, handles(plan, id))).isTrue();
    }

    private static Map<String, String> handles(UploadPlan<String> plan, long id) {
        Map<String, String> handles = new HashMap<>();
        plan.uploads().forEach(file -> handles.put(file, file + "@" + id));
        return handles;
    }

    private static UploadPlan<String> begin(
            UploadLedger<String> ledger, long id, Predicate<String> reusable, String... files) {
        ledger.enter(id, reusable);
        return ledger.plan(id, List.of(files));
    }

    private UploadPlan<String> begin(long id, String... files) {
        return begin(ledger, id, handle -> true, files);
    }

    private UploadPlan<String> plan(long id, String... files) {
        return ledger.plan(id, List.of(files));
    }

    @Test
    void reusesWhatIsConfirmed() {
        upload(ledger, 1, "a", "b");
        ledger.confirm(1);
        UploadPlan<String> plan = begin(2, "b", "c");
        assertThat(plan.reused()).isEqualTo(Map.of("b", "b@1"));
        assertThat(plan.uploads()).containsExactly("c");
    }

    @Test
    void doesNotReuseWhatIsNotConfirmedOrWasAborted() {
        upload(ledger, 1, "a");
        assertThat(begin(2, "a").reused()).isEmpty();
        ledger.abort(1);
        ledger.abort(2);
        assertThat(begin(3, "a").reused()).isEmpty();
        ledger.confirm(1);
        assertThat(begin(4, "a").reused()).isEmpty();
        assertThat(ledger.pending()).containsExactlyInAnyOrder(3L, 4L);
    }

    @Test
    void forgetsWhatTheNewestConfirmedDoesNotReferTo() {
        upload(ledger, 1, "a", "b");
        ledger.confirm(1);
        upload(ledger, 2, "b");
        ledger.confirm(2);
        assertThat(begin(3, "a", "b").reused()).containsOnlyKeys("b");
    }

    /** If 2 completes first, the job manager deletes a@1, which only 1 refers to: so 3 must not refer to it. */
    @Test
    void doesNotReuseWhatACheckpointUnderWayUploadsAnew() {
        upload(ledger, 1, "a");
        upload(ledger, 2, "a");
        ledger.confirm(1);
        assertThat(begin(3, "a").reused()).isEmpty();
        ledger.confirm(2);
        ledger.abort(3);
        assertThat(begin(4, "a").reused()).containsOnlyKeys("a");
    }

    @Test
    void reusesAcrossACheckpointUnderWayThatReusesToo() {
        upload(ledger, 1, "a");
        ledger.confirm(1);
        upload(ledger, 2, "a");
        upload(ledger, 3, "a");
        ledger.confirm(3);
        assertThat(ledger.pending()).isEmpty();
        assertThat(begin(4, "a").reused()).isEqualTo(Map.of("a", "a@1"));
    }

    /** If 2 completes first, the job manager deletes a@1 unless 2 refers to it too. */
    @Test
    void aCheckpointPlannedLateRefersToWhatLaterOnesReferTo() {
        upload(ledger, 1, "a", "b");
        ledger.confirm(1);
        ledger.enter(2, handle -> true);
        ledger.enter(3, handle -> true);
        UploadPlan<String> third = plan(3, "a", "c");
        assertThat(third.reused()).isEqualTo(Map.of("a", "a@1"));
        UploadPlan<String> second = plan(2, "a", "b");
        assertThat(second.reused()).isEqualTo(Map.of("a", "a@1", "b", "b@1"));
        assertThat(ledger.uploaded(2, handles(second, 2))).isTrue();
        ledger.confirm(2);
        assertThat(begin(4, "a", "b").reused()).containsOnlyKeys("a");
    }

    @Test
    void doesNotReuseAcrossAFullCheckpointWithoutAPlan() {
        upload(ledger, 1, "a");
        ledger.confirm(1);
        ledger.enter(2, handle -> false);
        ledger.enter(3, handle -> true);
        assertThat(plan(3, "a").reused()).isEmpty();
        assertThat(plan(2, "a").reused()).isEmpty();
    }

    @Test
    void aCheckpointThatWasAbortedBeforeItsPlanIsOnItsOwn() {
        upload(ledger, 1, "a");
        ledger.confirm(1);
        ledger.enter(2, handle -> true);
        ledger.abort(2);
        assertThat(plan(2, "a").uploads()).containsExactly("a");
        assertThat(ledger.pending()).isEmpty();
        assertThat(begin(3, "a").reused()).isEqualTo(Map.of("a", "a@1"));
    }

    @Test
    void leavesOutHandlesThatTheStorageDoesNotShare() {
        upload(ledger, 1, "a", "b");
        ledger.confirm(1);
        UploadPlan<String> plan = begin(ledger, 2, handle -> handle.startsWith("b"), "a", "b");
        assertThat(plan.reused()).containsOnlyKeys("b");
    }

    @Test
    void startsWithWhatWasRestored() {
        UploadLedger<String> restored = UploadLedger.restored(7, Map.of("a", "old"));
        assertThat(begin(restored, 8, handle -> true, "a").reused()).isEqualTo(Map.of("a", "old"));
    }

    @Test
    void reusesNothingWhenNumbersDoNotAscend() {
        UploadLedger<String> restored = UploadLedger.restored(7, Map.of("a", "old"));
        UploadPlan<String> plan = begin(restored, 7, handle -> true, "a");
        assertThat(plan.uploads()).containsExactly("a");
        assertThat(restored.uploaded(7, handles(plan, 7))).isTrue();
        restored.confirm(7);
        assertThat(begin(restored, 8, handle -> true, "a").reused()).isEqualTo(Map.of("a", "a@7"));
    }

    @Test
    void saysWhenACheckpointIsGone() {
        UploadPlan<String> plan = begin(1, "a");
        ledger.abort(1);
        assertThat(ledger.uploaded(1, handles(plan, 1))).isFalse();
    }

    @Test
    void refusesWhatBreaksTheProtocol() {
        assertThatThrownBy(() -> begin(1, "a", "a")).hasMessageContaining("found a twice");
        UploadPlan<String> plan = begin(1, "a");
        assertThatThrownBy(() -> ledger.confirm(1)).hasMessageContaining("confirmed before it was uploaded");
        assertThatThrownBy(() -> ledger.uploaded(1, Map.of())).hasMessageContaining("expected the handles of [a]");
        assertThat(ledger.uploaded(1, handles(plan, 1))).isTrue();
        assertThatThrownBy(() -> ledger.uploaded(1, handles(plan, 1))).hasMessageContaining("again");
        assertThatThrownBy(() -> plan(1, "a")).hasMessageContaining("planned twice");
        ledger.confirm(1);
        ledger.enter(2, handle -> true);
        ledger.enter(3, handle -> true);
        assertThat(plan(3, "a").reused()).containsOnlyKeys("a");
        assertThatThrownBy(() -> plan(2, "b")).hasMessageContaining("expected checkpoint 2 to have the files [a]");
    }
}
