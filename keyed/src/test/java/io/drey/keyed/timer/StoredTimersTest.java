package io.drey.keyed.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In what form far timers lie in the store. */
class StoredTimersTest {
    private static final int FILL = 8;
    private static final int JOURNAL_MAX = 64;
    private static final TimerLimits LIMITS = new TimerLimits(2 * FILL, FILL, JOURNAL_MAX, 1 << 10);
    private static final int KEY_GROUP = 3;
    private static final long NOON = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] bytes = new byte[2 * Long.BYTES];
    private final Element element = new Element();
    private TimerSubtasks subtasks = TimerSubtasks.empty(1, LIMITS, random);

    @AfterEach
    void close() {
        subtasks.close();
    }

    private TimerSubtasks.Subtask subtask() {
        return subtasks.of(KEY_GROUP);
    }

    private Element timer(long time, long key) {
        Element.putRank(time, bytes);
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[Long.BYTES + i] = (byte) (key >>> (Byte.SIZE * i));
        }
        return element.at(KEY_GROUP, bytes, 0, bytes.length);
    }

    /** Makes all that comes behind a time far. */
    private void fillNear() {
        for (int time = 0; time <= LIMITS.nearMax(); time++) {
            subtask().set.add(timer(time, 0));
        }
    }

    private List<String> buckets() {
        List<String> buckets = new ArrayList<>();
        TimerStore.BucketTaker taker = new TimerStore.BucketTaker() {
            @Override
            public void takeJournal(long low) {
                TimerJournal journal = new TimerJournal();
                subtask().timers.read(KEY_GROUP, low, journal);
                assertThat(journal.weight(KEY_GROUP)).isLessThan(2 * JOURNAL_MAX);
                buckets.add("journal");
            }

            @Override
            public void takeMap(long low, long highest) {
                assertThat(low).isEqualTo(highest).isEqualTo(NOON);
                buckets.add("map");
            }
        };
        subtask().timers.restore(KEY_GROUP, taker, near -> {});
        return buckets;
    }

    private int poll() {
        int count = 0;
        long last = Long.MIN_VALUE;
        while (subtask().set.settle()) {
            assertThat(subtask().set.first().rank()).isGreaterThanOrEqualTo(last);
            last = subtask().set.first().rank();
            subtask().set.removeFirst();
            count++;
        }
        return count;
    }

    @Test
    void aTimerThatIsRegisteredAndRemovedAgainAndAgainTakesTheRoomOfAFew() {
        fillNear();
        for (int i = 0; i < 10_000; i++) {
            subtask().set.add(timer(NOON, 1));
            subtask().set.remove(timer(NOON, 1));
            subtask().set.add(timer(NOON, 2));
        }
        assertThat(buckets()).containsOnly("journal").hasSizeLessThanOrEqualTo(4);
        assertThat(poll()).isEqualTo(LIMITS.nearMax() + 1 + 1);
    }

    @Test
    void veryManyTimersOfOneTimeAreAMapThatOthersStayOutOf() throws Exception {
        fillNear();
        for (int key = 0; key < 4 * JOURNAL_MAX; key++) {
            subtask().set.add(timer(NOON, key));
        }
        assertThat(buckets()).containsOnlyOnce("map");
        for (int i = 0; i < 10 * FILL; i++) {
            subtask().set.add(timer(NOON - 1 - i, 0));
            subtask().set.add(timer(NOON + 1 + i, 0));
        }
        int journals = buckets().size() - 1;
        assertThat(journals).isGreaterThan(10);

        subtasks = subtasks.rescaled(2, LIMITS, random);
        for (int i = 0; i < 10 * FILL; i++) {
            subtask().set.add(timer(NOON + 1_000 + i, 0));
        }
        assertThat(buckets()).containsOnlyOnce("map").hasSizeGreaterThan(journals + 5);
        assertThat(poll()).isEqualTo(LIMITS.nearMax() + 1 + 4 * JOURNAL_MAX + 30 * FILL);
    }

    @Test
    void behindARestoreATimerOfTheLastTimeFindsTheMap() throws Exception {
        fillNear();
        for (int key = 0; key < 4 * JOURNAL_MAX; key++) {
            subtask().set.add(timer(NOON, key));
        }
        subtasks = subtasks.rescaled(1, LIMITS, random);
        subtask().set.add(timer(NOON, 1));
        subtask().set.remove(timer(NOON, 2));
        subtask().set.add(timer(NOON + 1, 1));
        assertThat(poll()).isEqualTo(LIMITS.nearMax() + 1 + 4 * JOURNAL_MAX);
    }

    /** As a version of another format might write them: timers would be lost without a word. */
    @Test
    void anEntryOfTheDirectoryThatIsNeitherABucketNorAPartIsRefused() {
        byte[] nothing = {};
        int directory = subtask().store.table("pb:timers", TableKind.MAP);
        subtask()
                .store
                .put(
                        new EntryKey()
                                .row(directory, KEY_GROUP, nothing, 0, nothing, 0)
                                .mapKey(new byte[5], 0, 5),
                        nothing,
                        0,
                        0);
        assertThatThrownBy(this::buckets).hasMessageContaining("found 5: the checkpoint is damaged");
    }
}
