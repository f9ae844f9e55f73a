package io.drey.store.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.fault.FaultyDirectory;
import io.drey.foundation.DreyException;
import io.drey.store.run.Run;
import io.drey.store.run.RunOptions;
import io.drey.store.run.TestRuns;
import io.drey.store.version.FileRefs.Holder;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FileRefsTest {
    private final TestRuns runs = new TestRuns();
    private final FaultyDirectory directory = new FaultyDirectory(runs.directory);
    private final FileRefs refs = new FileRefs(directory);

    @AfterEach
    void givesAllBack() {
        assertThat(refs.report()).isEmpty();
        runs.close();
    }

    @Test
    void aRunIsDeletedWhenItsLastHolderLetsGo() throws IOException {
        Run run = run();
        refs.hold(Holder.VERSION, List.of(run));
        refs.hold(Holder.SNAPSHOT, List.of(run));
        refs.hold(Holder.SNAPSHOT, List.of(run));
        assertThat(refs.report()).containsExactly(java.util.Map.entry(run.info().name(), "{VERSION=1, SNAPSHOT=2}"));

        refs.release(Holder.SNAPSHOT, List.of(run, run));
        assertThat(directory.exists(run.info().name())).isTrue();
        refs.release(Holder.VERSION, List.of(run));
        assertThat(directory.exists(run.info().name())).isFalse();
    }

    @Test
    void aHolderCannotLetGoForAnother() throws IOException {
        Run run = run();
        refs.hold(Holder.COMPACTION, List.of(run));
        assertThatThrownBy(() -> refs.release(Holder.SNAPSHOT, List.of(run)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("held by SNAPSHOT, found {COMPACTION=1}");
        refs.release(Holder.COMPACTION, List.of(run));
    }

    @Test
    void aDeleteThatFailsKeepsNothingElse() throws IOException {
        List<Run> two = List.of(run(), run());
        refs.hold(Holder.SNAPSHOT, two);
        directory.failDeletes(true);
        assertThatThrownBy(() -> refs.release(Holder.SNAPSHOT, two))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining(two.get(0).info().name())
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @Test
    void aPromisedRunHasTheHoldersOfThePromise() throws IOException {
        FileRefs.Promise promise = refs.promise();
        promise.hold(Holder.SNAPSHOT);
        promise.hold(Holder.SNAPSHOT);
        promise.release(Holder.SNAPSHOT);
        Run run = run();
        promise.keep(run);
        assertThat(refs.report().values()).containsExactly("{SNAPSHOT=1, FLUSH=1}");

        refs.release(Holder.FLUSH, List.of(run));
        assertThat(directory.exists(run.info().name())).isTrue();
        promise.release(Holder.SNAPSHOT);
        assertThat(directory.exists(run.info().name())).isFalse();
    }

    private Run run() throws IOException {
        return runs.write(List.of(), RunOptions.of(256, 256));
    }
}
