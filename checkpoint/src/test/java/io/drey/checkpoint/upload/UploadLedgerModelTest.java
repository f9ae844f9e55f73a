package io.drey.checkpoint.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The ledger against a job manager that deletes as early as Flink's may: uploads of a failed checkpoint at once, and a
 * file as soon as the oldest retained checkpoint is younger than the last that refers to it. Notifications come late,
 * in order, or never; checkpoints overlap, and their asynchronous parts begin in any order; the task restarts with or
 * without the right to share.
 */
@Tag(Effort.TAG)
final class UploadLedgerModelTest {
    private static final int OVERLAPPING_MAX = 4;

    @Test
    void neverRefersToWhatMayBeGone() {
        Seeds.operations(200_000, seed -> {
            History history = new History(seed, true);
            for (int step = 0; step < 200; step++) {
                history.step();
            }
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
                history.plan();
                history.upload();
                history.complete(history.underWay.firstKey());
                history.deliverAll();
            }
            assertThat(history.uploadsByFile).isNotEmpty();
            history.uploadsByFile.forEach(
                    (file, count) -> assertThat(count).as(file).isOne());
        });
    }

    /** One history of a task and of what the job manager does meanwhile. */
    private static final class History {
        private final SplittableRandom random;
        private final boolean trouble;
        private final int retainedMax;

        /** The task. */
        private UploadLedger<String> ledger = UploadLedger.empty();

        private final Set<String> files = new HashSet<>();
        private final TreeMap<Long, Set<String>> entered = new TreeMap<>();
        private final Map<Long, UploadPlan<String>> planned = new HashMap<>();
        private final Map<String, Integer> uploadsByFile = new HashMap<>();
        private int fileCount;

        /** The job manager: handles in storage, checkpoints under way and completed with their handles by file. */
        private final Set<String> storage = new HashSet<>();

        private final Map<String, Long> lastUsedBy = new HashMap<>();
        private final TreeMap<Long, Map<String, String>> underWay = new TreeMap<>();
        private final TreeMap<Long, Map<String, String>> completed = new TreeMap<>();
        private final ArrayDeque<Runnable> notifications = new ArrayDeque<>();
        private long lastId;
        private int handleCount;

        History(long seed, boolean trouble) {
            this.random = new SplittableRandom(seed);
            this.trouble = trouble;
            this.retainedMax = 1 + random.nextInt(3);
        }

        void step() {
            switch (random.nextInt(14)) {
                case 0, 1 -> changeFiles();
                case 2, 3 -> enter();
                case 4, 5 -> plan();
                case 6, 7 -> upload();
                case 8, 9, 10 -> completeOne();
                case 11 -> abortOne();
                case 12 -> deliver();
                default -> {
                    if (random.nextInt(8) == 0) {
                        restart();
                    } else {
                        deliver();
                    }
                }
            }
        }

        /** Files come and go; one that is gone never comes back. */
        void changeFiles() {
            files.removeIf(file -> random.nextInt(4) == 0);
            for (int i = random.nextInt(3); i >= 0; i--) {
                files.add("f" + fileCount++);
            }
        }

        void enter() {
            if (underWay.size() + planned.size() + entered.size() >= OVERLAPPING_MAX) {
                return;
            }
            long id = ++lastId;
            boolean full = trouble && random.nextInt(10) == 0;
            // A storage that merges files may want one to be uploaded anew that it would have shared before.
            ledger.enter(id, handle -> !full && !(trouble && random.nextInt(20) == 0));
            entered.put(id, Set.copyOf(files));
        }

        /** The asynchronous part of a checkpoint begins. */
        void plan() {
            if (!entered.isEmpty()) {
                List<Long> ids = new ArrayList<>(entered.keySet());
                long id = ids.get(random.nextInt(ids.size()));
                planned.put(id, ledger.plan(id, entered.remove(id)));
            }
        }

        /** The uploads of one checkpoint end, and the job manager hears of them. */
        void upload() {
            if (planned.isEmpty()) {
                return;
            }
            List<Long> ids = new ArrayList<>(planned.keySet());
            long id = ids.get(random.nextInt(ids.size()));
            UploadPlan<String> plan = planned.remove(id);
            Map<String, String> uploads = new HashMap<>();
            for (String file : plan.uploads()) {
                uploadsByFile.merge(file, 1, Integer::sum);
                String handle = file + "#" + handleCount++;
                storage.add(handle);
                uploads.put(file, handle);
            }
            assertThat(ledger.uploaded(id, uploads)).isTrue();
            Map<String, String> all = new HashMap<>(plan.reused());
            all.putAll(uploads);
            underWay.put(id, all);
        }

        private void completeOne() {
            if (!underWay.isEmpty()) {
                List<Long> ids = new ArrayList<>(underWay.keySet());
                complete(ids.get(random.nextInt(ids.size())));
            }
        }

        void complete(long id) {
            Map<String, String> handles = underWay.remove(id);
            assertThat(storage).as("handles of checkpoint %d", id).containsAll(handles.values());
            handles.values().forEach(handle -> lastUsedBy.merge(handle, id, Math::max));
            completed.put(id, handles);
            for (Long older : new ArrayList<>(underWay.headMap(id).keySet())) {
                abort(older);
            }
            // Those that are still uploading are subsumed as well; what they upload later is of no use.
            planned.keySet().removeIf(other -> other < id);
            entered.headMap(id).clear();
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
            completed.values().forEach(kept -> assertThat(storage).containsAll(kept.values()));
            UploadLedger<String> told = ledger;
            notifications.add(() -> told.confirm(id));
        }

        private void abortOne() {
            if (!underWay.isEmpty()) {
                List<Long> ids = new ArrayList<>(underWay.keySet());
                abort(ids.get(random.nextInt(ids.size())));
            }
        }

        /** Deletes what only the failed checkpoint refers to: its own uploads. */
        private void abort(long id) {
            Map<String, String> handles = underWay.remove(id);
            handles.values().forEach(handle -> {
                if (!lastUsedBy.containsKey(handle)) {
                    storage.remove(handle);
                }
            });
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
        private void restart() {
            notifications.clear();
            planned.clear();
            entered.clear();
            new ArrayList<>(underWay.keySet()).forEach(this::abort);
            notifications.clear();
            if (completed.isEmpty()) {
                files.clear();
                ledger = UploadLedger.empty();
                return;
            }
            Map<String, String> handles = completed.lastEntry().getValue();
            files.clear();
            files.addAll(handles.keySet());
            boolean shares = random.nextInt(3) != 0;
            ledger = shares ? UploadLedger.restored(completed.lastKey(), handles) : UploadLedger.empty();
        }
    }
}
