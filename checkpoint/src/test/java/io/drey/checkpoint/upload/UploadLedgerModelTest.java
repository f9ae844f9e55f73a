package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.upload.Listing.Sharing;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The ledger against a job manager that deletes as early as Flink's may: an upload as soon as the oldest retained
 * checkpoint is younger than the last that listed it. It registers what is acknowledged at any time, also of a
 * checkpoint that has failed, and refuses a placeholder for what it does not know. Notifications come late, in order, or
 * never; checkpoints overlap, their asynchronous parts run in any order, fail, and are cancelled until they are
 * acknowledged; the task restarts with or without the right to share. A storage that merges files deletes by itself what
 * an aborted checkpoint wrote.
 */
@Tag(Effort.TAG)
final class UploadLedgerModelTest {
    private static final int OVERLAPPING_MAX = 5;

    @Test
    void neverListsWhatMayBeGoneAndLeavesNothing() {
        Seeds.operations(300_000, seed -> {
            History history = new History(seed, true);
            for (int step = 0; step < 200; step++) {
                history.step();
            }
            history.end();
            return 200;
        });
    }

    @Test
    void uploadsEachFileOnceWhenNothingFails() {
        Seeds.cases(200, seed -> {
            History history = new History(seed, false);
            for (int checkpoint = 0; checkpoint < 30; checkpoint++) {
                history.changeFiles();
                history.enter();
                history.decide();
                history.begin();
                history.finish();
                history.acknowledge();
                history.complete(history.acknowledged.firstKey());
                history.deliverAll();
            }
            assertThat(history.uploadsByFile).isNotEmpty();
            history.uploadsByFile.forEach(
                    (file, count) -> assertThat(count).as(file).isOne());
        });
    }

    /** A checkpoint of the task that the job manager has not heard of. */
    private static final class Run {
        final long id;
        final Listing<String> listing;
        final Set<String> files;
        final boolean savepoint;
        final boolean ahead;
        boolean decided;
        boolean stored;

        Run(long id, Listing<String> listing, Set<String> files, boolean savepoint, boolean ahead) {
            this.id = id;
            this.listing = listing;
            this.files = files;
            this.savepoint = savepoint;
            this.ahead = ahead;
        }
    }

    /** One history of a task and of what the job manager does meanwhile. */
    private static final class History {
        private final SplittableRandom random;
        private final boolean trouble;
        private final boolean merging;
        private final int retainedMax;

        /** The task. */
        private UploadLedger<String> ledger = new UploadLedger<>(Map.of(), this::trash, handle -> {});

        private final Set<String> files = new HashSet<>();
        private final List<Run> runs = new ArrayList<>();
        private Run uploading;
        private List<String> claimed = List.of();
        private final Map<String, Integer> uploadsByFile = new HashMap<>();
        private int fileCount;

        /** The storage: handles, and the checkpoints that wrote them. */
        private final Map<String, Long> storage = new HashMap<>();

        private final Set<String> trashed = new HashSet<>();

        /** Handles of checkpoints that a crash took away: only they may be left over. */
        private final Set<String> orphans = new HashSet<>();

        /** The job manager: handles that it knows, checkpoints that are acknowledged or complete, by file. */
        private final Map<String, Long> lastUsedBy = new HashMap<>();

        private final TreeMap<Long, Map<String, String>> acknowledged = new TreeMap<>();
        private final TreeMap<Long, Map<String, String>> completed = new TreeMap<>();
        private final Set<Long> dropped = new HashSet<>();
        private final ArrayDeque<Runnable> notifications = new ArrayDeque<>();
        private long lastId;
        private int handleCount;

        History(long seed, boolean trouble) {
            this.random = new SplittableRandom(seed);
            this.trouble = trouble;
            this.merging = trouble && random.nextInt(4) == 0;
            this.retainedMax = 1 + random.nextInt(3);
        }

        void step() {
            switch (random.nextInt(18)) {
                case 0, 1 -> changeFiles();
                case 2, 3, 4 -> enter();
                case 5, 6, 7 -> decide();
                case 8, 9 -> begin();
                case 10, 11 -> finish();
                case 12, 13 -> acknowledge();
                case 14 -> completeOne();
                case 15 -> trouble();
                default -> deliver();
            }
        }

        private void trouble() {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    if (!runs.isEmpty()) {
                        cancel(runs.get(random.nextInt(runs.size())));
                    }
                }
                case 3, 4 -> abortOne();
                case 5 -> failUpload();
                case 6 -> restart(random.nextBoolean());
                default -> deliverAll();
            }
        }

        private void trash(String handle) {
            if (!merging) {
                assertThat(storage).as("trash").containsKey(handle);
            }
            assertThat(lastUsedBy).as("what the job manager knows").doesNotContainKey(handle);
            trashed.add(handle);
            storage.remove(handle);
        }

        /** Files come and go; one that is gone never comes back. */
        void changeFiles() {
            files.removeIf(file -> random.nextInt(4) == 0);
            for (int i = random.nextInt(3); i >= 0; i--) {
                files.add("f" + fileCount++);
            }
        }

        void enter() {
            if (runs.size() + acknowledged.size() >= OVERLAPPING_MAX) {
                return;
            }
            if (trouble && !merging && random.nextInt(3) == 0) {
                Listing<String> ahead = ledger.ahead(new Sharing<>(true, handle -> true));
                runs.add(new Run(lastId, ahead, Set.copyOf(files), false, true));
                return;
            }
            long id = ++lastId;
            boolean full = trouble && random.nextInt(12) == 0;
            // A storage may want one to be uploaded anew that it would have shared before.
            Sharing<String> sharing = new Sharing<>(!merging, handle -> !(trouble && random.nextInt(20) == 0));
            boolean savepoint = trouble && random.nextInt(15) == 0;
            Listing<String> listing = savepoint ? ledger.alone() : ledger.enter(id, full, sharing);
            runs.add(new Run(id, listing, Set.copyOf(files), savepoint, false));
        }

        private Run any(Collection<Run> of) {
            List<Run> all = new ArrayList<>(of);
            return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        }

        /** The files of a checkpoint are known. */
        void decide() {
            Run run = any(runs.stream().filter(r -> !r.decided).toList());
            if (run == null) {
                return;
            }
            try {
                run.listing.decide(run.files);
                run.decided = true;
            } catch (CancellationException e) {
                assertThat(dropped).as("checkpoints that cannot complete").contains(run.id);
                cancel(run);
            }
        }

        /** A checkpoint begins to write what is not stored; another one may be withdrawn or decide meanwhile. */
        void begin() {
            Run run = any(runs.stream().filter(r -> r.decided && !r.stored).toList());
            if (run != null && uploading == null) {
                claimed = run.listing.claim();
                uploading = run;
            }
        }

        void finish() {
            if (uploading == null) {
                return;
            }
            Map<String, String> handles = new HashMap<>();
            for (String file : claimed) {
                uploadsByFile.merge(file, 1, Integer::sum);
                String handle = file + "#" + handleCount++;
                storage.put(handle, uploading.id);
                handles.put(file, handle);
            }
            uploading.listing.stored(handles);
            uploading.stored = true;
            uploading = null;
        }

        private void failUpload() {
            if (uploading != null) {
                Run run = uploading;
                run.listing.failed(claimed);
                uploading = null;
                cancel(run);
            }
        }

        /** Nobody will hear of it; what it writes just now is written all the same. */
        private void cancel(Run run) {
            run.listing.withdraw();
            runs.remove(run);
        }

        void acknowledge() {
            Run run = any(runs.stream().filter(r -> r.stored).toList());
            if (run == null) {
                return;
            }
            if (run.ahead) {
                // What it uploaded stays for the next checkpoint.
                cancel(run);
                return;
            }
            runs.remove(run);
            boolean late = dropped.contains(run.id);
            Map<String, String> handles = new HashMap<>();
            run.listing.references().forEach((file, reference) -> {
                handles.put(file, reference.handle());
                if (!late) {
                    assertThat(trashed).doesNotContain(reference.handle());
                    if (reference.confirmed()) {
                        assertThat(lastUsedBy).as("placeholders").containsKey(reference.handle());
                    }
                }
            });
            assertThat(handles.keySet()).isEqualTo(run.files);
            if (run.savepoint) {
                assertThat(storage.keySet()).containsAll(handles.values());
                storage.keySet().removeAll(handles.values());
                return;
            }
            handles.values().forEach(handle -> {
                if (storage.containsKey(handle)) {
                    lastUsedBy.merge(handle, run.id, Math::max);
                }
            });
            if (!late) {
                acknowledged.put(run.id, handles);
            }
        }

        private void completeOne() {
            if (!acknowledged.isEmpty()) {
                List<Long> ids = new ArrayList<>(acknowledged.keySet());
                complete(ids.get(random.nextInt(ids.size())));
            }
        }

        void complete(long id) {
            completed.put(id, acknowledged.remove(id));
            for (Long older : new ArrayList<>(acknowledged.headMap(id).keySet())) {
                abort(older);
            }
            for (Run run : new ArrayList<>(runs)) {
                if (run.id < id) {
                    dropped.add(run.id);
                    // The task hears of it soon or late.
                    if (random.nextBoolean()) {
                        cancel(run);
                    }
                }
            }
            while (completed.size() > retainedMax) {
                completed.pollFirstEntry();
            }
            long oldest = completed.firstKey();
            lastUsedBy.entrySet().removeIf(entry -> {
                boolean unused = entry.getValue() < oldest;
                if (unused) {
                    storage.remove(entry.getKey());
                }
                return unused;
            });
            check();
            UploadLedger<String> told = ledger;
            notifications.add(() -> told.confirm(id));
        }

        private void check() {
            completed.forEach((id, handles) ->
                    assertThat(storage.keySet()).as("checkpoint %d", id).containsAll(handles.values()));
        }

        private void abortOne() {
            Run run = any(runs.stream().filter(r -> !r.savepoint && !r.ahead).toList());
            if (run != null && random.nextBoolean()) {
                abort(run.id);
                if (random.nextBoolean()) {
                    cancel(run);
                }
                return;
            }
            if (!acknowledged.isEmpty()) {
                List<Long> ids = new ArrayList<>(acknowledged.keySet());
                abort(ids.get(random.nextInt(ids.size())));
            }
        }

        /** The job manager keeps what an aborted checkpoint listed; a storage that merges files does not. */
        private void abort(long id) {
            acknowledged.remove(id);
            dropped.add(id);
            if (merging) {
                storage.entrySet().removeIf(entry -> {
                    boolean gone = entry.getValue() == id && lastUsedBy.getOrDefault(entry.getKey(), id) <= id;
                    if (gone) {
                        lastUsedBy.remove(entry.getKey());
                    }
                    return gone;
                });
            }
            check();
            UploadLedger<String> told = ledger;
            notifications.add(() -> told.abort(id));
        }

        private void deliver() {
            if (!notifications.isEmpty()) {
                Runnable notification = notifications.poll();
                if (random.nextInt(5) != 0) {
                    notification.run();
                }
            }
        }

        void deliverAll() {
            while (!notifications.isEmpty()) {
                notifications.poll().run();
            }
        }

        /** The task fails, and starts again from the last completed checkpoint. */
        private void restart(boolean crash) {
            stop(crash);
            files.clear();
            boolean shares = !completed.isEmpty() && random.nextInt(3) != 0;
            if (!completed.isEmpty()) {
                files.addAll(completed.lastEntry().getValue().keySet());
            }
            ledger =
                    new UploadLedger<>(shares ? completed.lastEntry().getValue() : Map.of(), this::trash, handle -> {});
        }

        private void stop(boolean crash) {
            notifications.clear();
            new ArrayList<>(acknowledged.keySet()).forEach(this::abort);
            notifications.clear();
            if (crash) {
                orphans.addAll(storage.keySet());
            } else {
                if (random.nextBoolean()) {
                    ledger.close();
                }
                finish();
                new ArrayList<>(runs).forEach(this::cancel);
                ledger.close();
            }
            runs.clear();
            uploading = null;
        }

        void end() {
            stop(false);
            Set<String> left = new HashSet<>(storage.keySet());
            left.removeAll(lastUsedBy.keySet());
            left.removeAll(orphans);
            if (!merging) {
                assertThat(left).as("what nobody will delete").isEmpty();
            }
        }
    }
}
