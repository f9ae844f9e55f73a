package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.upload.Listing.Reference;
import io.drey.checkpoint.upload.Listing.Sharing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

final class UploadLedgerTest {
    private static final Sharing<String> SHARING = new Sharing<>(true, handle -> true);

    private final List<String> trash = new ArrayList<>();
    private final List<String> forgotten = new ArrayList<>();
    private final UploadLedger<String> ledger = new UploadLedger<>(Map.of("old", "old@0"), trash::add, forgotten::add);

    private Listing<String> enter(long id) {
        return ledger.enter(id, false, SHARING);
    }

    /** Uploads what is wanted as file@id. */
    private static List<String> upload(Listing<String> listing, long id) {
        List<String> wanted = listing.claim();
        Map<String, String> handles = new HashMap<>();
        wanted.forEach(file -> handles.put(file, file + "@" + id));
        listing.stored(handles);
        return wanted;
    }

    private Listing<String> take(long id, String... files) {
        Listing<String> listing = enter(id);
        listing.decide(List.of(files));
        upload(listing, id);
        return listing;
    }

    private static List<String> handles(Listing<String> listing) {
        return listing.references().values().stream().map(Reference::handle).toList();
    }

    @Test
    void aRestoredFileIsListedAndKnown() {
        Listing<String> first = take(1, "old", "new");
        assertThat(first.references())
                .containsEntry("old", new Reference<>("old@0", true))
                .containsEntry("new", new Reference<>("new@1", false));
    }

    @Test
    void anUploadIsListedByLaterCheckpointsWhetherItsOwnWasConfirmedOrNot() {
        take(1, "a");
        Listing<String> second = take(2, "a");
        assertThat(second.references()).containsEntry("a", new Reference<>("a@1", false));
        ledger.confirm(2);
        ledger.abort(1);
        assertThat(take(3, "a").references()).containsEntry("a", new Reference<>("a@1", true));
    }

    @Test
    void whatNobodyHeardOfStaysForTheNextCheckpoint() {
        take(1, "a").withdraw();
        assertThat(trash).isEmpty();
        assertThat(handles(take(2, "a"))).containsExactly("a@1");
    }

    @Test
    void whatNobodyHeardOfAndNobodyWantsGoesToTheTrash() {
        take(1, "a", "b").withdraw();
        take(2, "b");
        assertThat(trash).containsExactly("a@1");
    }

    @Test
    void whatAnAcknowledgedCheckpointListsIsTheJobManagers() {
        take(1, "a");
        take(2, "a").withdraw();
        ledger.abort(1);
        take(3, "b");
        ledger.close();
        assertThat(trash).isEmpty();
    }

    @Test
    void aCheckpointWithdrawnLateTrashesWhatIsNoLongerWanted() {
        Listing<String> first = take(1, "a");
        take(2, "b");
        assertThat(trash).isEmpty();
        first.withdraw();
        first.withdraw();
        assertThat(trash).containsExactly("a@1");
    }

    @Test
    void anUploadThatEndsAfterItsCheckpointWasWithdrawnIsTrashed() {
        Listing<String> first = enter(1);
        first.decide(List.of("a"));
        assertThat(first.claim()).containsExactly("a");
        first.withdraw();
        ledger.close();
        assertThat(trash).isEmpty();
        first.stored(Map.of("a", "a@1"));
        assertThat(trash).containsExactly("a@1");
    }

    @Test
    void noCheckpointWaitsForWhatAnotherUploads() {
        Listing<String> first = enter(1);
        first.decide(List.of("a"));
        Listing<String> second = enter(2);
        second.decide(List.of("a"));
        assertThat(first.claim()).containsExactly("a");
        assertThat(upload(second, 2)).as("the first one may hang").containsExactly("a");
        assertThat(handles(second)).containsExactly("a@2");
        first.stored(Map.of("a", "a@1"));
        assertThat(handles(take(3, "a"))).as("what the last one lists").containsExactly("a@2");
        first.withdraw();
        assertThat(trash).containsExactly("a@1");
    }

    @Test
    void anotherTakesOverWhatACancelledOneDidNotUpload() {
        Listing<String> first = enter(1);
        first.decide(List.of("a"));
        first.claim();
        first.withdraw();
        first.failed(List.of("a"));
        assertThat(handles(take(2, "a"))).containsExactly("a@2");
    }

    @Test
    void thoseBetweenListWhatAnOlderAndAYoungerOneList() {
        take(1, "a");
        boolean[] reusable = {true};
        Listing<String> second = ledger.enter(2, false, new Sharing<>(true, handle -> reusable[0]));
        take(3, "a");
        take(4, "b");
        reusable[0] = false;
        second.decide(List.of("a"));
        assertThat(second.claim()).isEmpty();
        assertThat(handles(second)).containsExactly("a@1");
    }

    @Test
    void oneBetweenDoesNotWaitForWhatAYoungerOneTookOverFromAnOlder() {
        Listing<String> first = enter(1);
        first.decide(List.of("a"));
        first.claim();
        Listing<String> second = enter(2);
        first.withdraw();
        first.failed(List.of("a"));
        Listing<String> third = enter(3);
        third.decide(List.of("a"));
        assertThat(third.claim()).containsExactly("a");
        second.decide(List.of("a"));
        upload(second, 2);
        assertThat(handles(second)).containsExactly("a@2");
        third.stored(Map.of("a", "a@3"));
        assertThat(handles(take(4, "a"))).containsExactly("a@3");
    }

    @Test
    void whatAnOlderOneTookOverFromAYoungerIsNotListedAfterOneThatCouldNotWaitForIt() {
        Listing<String> first = enter(1);
        Listing<String> second = enter(2);
        Listing<String> third = enter(3);
        third.decide(List.of("a"));
        third.withdraw();
        first.decide(List.of("a"));
        assertThat(first.claim()).containsExactly("a");
        second.decide(List.of("a"));
        first.stored(Map.of("a", "a@1"));
        upload(second, 2);
        assertThat(handles(second)).containsExactly("a@2");
        assertThat(handles(take(4, "a")))
                .as("once the second is complete the job manager deletes what only the first listed")
                .containsExactly("a@2");
    }

    @Test
    void aRefusedUploadIsListedNeverAgain() {
        take(1, "a");
        Listing<String> second = ledger.enter(2, false, new Sharing<>(true, handle -> false));
        second.decide(List.of("a"));
        assertThat(upload(second, 2)).containsExactly("a");
        assertThat(handles(take(3, "a"))).containsExactly("a@2");
    }

    @Test
    void whereUnconfirmedUploadsAreNotSharedEachCheckpointUploadsUntilOneIsConfirmed() {
        Sharing<String> merging = new Sharing<>(false, handle -> true);
        List<String> listed = new ArrayList<>();
        for (long id = 1; id <= 3; id++) {
            Listing<String> listing = ledger.enter(id, false, merging);
            listing.decide(List.of("a"));
            upload(listing, id);
            listed.addAll(handles(listing));
            if (id == 2) {
                ledger.confirm(2);
            }
        }
        assertThat(listed).containsExactly("a@1", "a@2", "a@2");
    }

    @Test
    void aFullCheckpointListsNothingOlderAndNeitherDoLaterOnes() {
        Listing<String> full = ledger.enter(1, true, SHARING);
        full.decide(List.of("old"));
        assertThat(upload(full, 1)).containsExactly("old");
        assertThat(handles(take(2, "old"))).containsExactly("old@1");
    }

    @Test
    void anOlderCheckpointDecidesByWhatWasThereBeforeAFullOne() {
        take(1, "a");
        Listing<String> second = enter(2);
        Listing<String> third = enter(3);
        third.decide(List.of("a"));
        Listing<String> full = ledger.enter(4, true, SHARING);
        full.decide(List.of("a"));
        upload(full, 4);
        second.decide(List.of("a"));
        upload(second, 2);
        assertThat(handles(second)).containsExactly("a@1");
        assertThat(handles(full)).containsExactly("a@4");
    }

    @Test
    void aCheckpointThatCannotCompleteUploadsNothing() {
        Listing<String> overtaken = enter(1);
        take(2, "a");
        ledger.confirm(2);
        Listing<String> aborted = enter(3);
        ledger.abort(3);
        Listing<String> closed = enter(4);
        Listing<String> ahead = ledger.ahead(SHARING);
        ledger.close();
        assertEnded(overtaken, aborted, closed, ahead, enter(5), ledger.ahead(SHARING));
        assertThat(trash).isEmpty();
    }

    @Test
    void aCheckpointThatIsFarBehindUploadsNothing() {
        Listing<String> behind = enter(1);
        for (int id = 2; id <= 257; id++) {
            take(id, "a");
        }
        assertEnded(behind);
        assertThat(handles(take(300, "a"))).containsExactly("a@2");
    }

    @SafeVarargs
    private static void assertEnded(Listing<String>... listings) {
        for (Listing<String> listing : listings) {
            assertThatThrownBy(() -> listing.decide(List.of("a"))).isInstanceOf(CancellationException.class);
            listing.withdraw();
        }
    }

    @Test
    void anAbortedCheckpointThatKnowsItsFilesGoesOn() {
        Listing<String> first = enter(1);
        first.decide(List.of("a"));
        ledger.abort(1);
        assertThat(upload(first, 1)).containsExactly("a");
        assertThat(handles(first)).as("the job manager may hear of it").containsExactly("a@1");
    }

    @Test
    void aNumberThatIsNotAboveTheLastSharesNothing() {
        take(5, "a");
        Listing<String> late = enter(4);
        late.decide(List.of("a"));
        assertThat(upload(late, 4)).containsExactly("a");
    }

    @Test
    void aSavepointSharesNothingAndIsDeletedIfItIsCancelled() {
        Listing<String> savepoint = ledger.alone();
        savepoint.decide(List.of("old"));
        upload(savepoint, 7);
        savepoint.withdraw();
        assertThat(trash).containsExactly("old@7");
    }

    @Test
    void uploadsAheadStayForTheNextCheckpointAndGoIfItDoesNotWantThem() throws InterruptedException {
        Listing<String> ahead = ledger.ahead(SHARING);
        ahead.decide(List.of("a", "b"));
        assertThat(upload(ahead, 9)).containsExactly("a", "b");
        ahead.withdraw();
        assertThat(trash).isEmpty();
        assertThat(handles(take(1, "a"))).containsExactly("a@9");
        assertThat(trash).containsExactly("b@9");
        ledger.close();
        assertThat(trash).containsExactly("b@9");
    }

    @Test
    void tellsOnceWhatNoFurtherCheckpointLists() {
        Listing<String> first = take(1, "a", "b");
        assertThat(forgotten).containsExactly("old@0");
        take(2, "b");
        assertThat(forgotten).containsExactlyInAnyOrder("old@0", "a@1");
        first.withdraw();
        ledger.close();
        assertThat(forgotten).containsExactlyInAnyOrder("old@0", "a@1", "b@1");
    }

    @Test
    void aWithdrawnCheckpointDoesNotGoOn() {
        Listing<String> listing = enter(1);
        listing.withdraw();
        assertThatThrownBy(() -> listing.decide(List.of("a"))).isInstanceOf(CancellationException.class);
    }

    @Test
    void wrongStepsAreErrors() {
        Listing<String> listing = enter(1);
        assertThatThrownBy(() -> ledger.confirm(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("confirmed before it was uploaded");
        assertThatThrownBy(() -> enter(2).decide(List.of("a", "a"))).isInstanceOf(IllegalArgumentException.class);
        listing.decide(List.of("a"));
        assertThatThrownBy(() -> listing.decide(List.of("a"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(listing::references).hasMessageContaining("expected file a to be stored, found it WANTED");
        assertThatThrownBy(() -> listing.stored(Map.of("a", "h"))).hasMessageContaining("to be claimed");
    }
}
