package io.drey.keyed.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What notes of timers come to. */
class TimerJournalTest {
    private static final int KEY_GROUP = 5;

    private final TimerJournal journal = new TimerJournal();

    private static Element element(String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return new Element().at(KEY_GROUP, bytes, 0, bytes.length);
    }

    private static List<String> strings(byte[] stored) {
        return TimerJournal.elements(KEY_GROUP, stored).stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void whatWasAddedAndNotRemovedAfterThatIsThereOnce() {
        journal.note(element("b"), false);
        journal.note(element("c"), true);
        journal.note(element("a"), false);
        journal.note(element("b"), false);
        journal.note(element("d".repeat(200)), false);
        journal.note(element("a"), true);
        journal.note(element("c"), false);
        assertThat(strings(journal.notes().toArray())).containsExactly("b", "c", "d".repeat(200));

        HeapTimers near = new HeapTimers(KEY_GROUP);
        journal.replay(KEY_GROUP, near);
        assertThat(near.size()).isEqualTo(3);
        assertThat(near.first(new Element()).toArray()).isEqualTo(element("b").toArray());
    }

    @Test
    void everyNoteWeighs() {
        for (int i = 0; i < 10; i++) {
            journal.note(element("same"), i % 2 == 1);
        }
        assertThat(journal.weight(KEY_GROUP)).isEqualTo(10);
    }

    @Test
    void aJournalThatEndsWithinATimerIsDamaged() {
        journal.note(element("d".repeat(200)), false);
        byte[] stored = journal.notes().toArray();
        for (int length = 1; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThatThrownBy(() -> TimerJournal.elements(KEY_GROUP, cut))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("key group " + KEY_GROUP)
                    .hasMessageContaining("the checkpoint is damaged");
        }
    }
}
