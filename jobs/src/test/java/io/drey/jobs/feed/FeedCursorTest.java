package io.drey.jobs.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Splits share out all events, each once, and go on from where they were. */
class FeedCursorTest {
    private static final int SIZE = 23;

    /** Events without content: key is the position times five, modulo eleven. */
    private static final class Numbers implements Feed<String> {
        @Override
        public long size() {
            return SIZE;
        }

        @Override
        public int key(long position) {
            return (int) (position * 5 % 11);
        }

        @Override
        public long timestampMs(long position, int replica) {
            return position;
        }

        @Override
        public String event(long position, int replica) {
            return position + "#" + replica;
        }
    }

    private final Numbers feed = new Numbers();

    @Test
    void allSplitsTogetherEmitEveryEventOnce() {
        for (int splits = 1; splits <= 40; splits += 13) {
            for (int repeat : new int[] {1, 2, 31, 32, 100}) {
                List<String> events = new ArrayList<>();
                for (int i = 0; i < splits; i++) {
                    drain(new FeedCursor(feed, new FeedSplit("a run", i, splits, repeat, 0, 0, 0)), events);
                }
                List<String> expected = new ArrayList<>();
                for (int position = 0; position < SIZE; position++) {
                    for (int replica = 0; replica < repeat; replica++) {
                        expected.add(feed.event(position, replica));
                    }
                }
                assertThat(events).hasSize(expected.size());
                assertThat(events.stream().sorted())
                        .isEqualTo(expected.stream().sorted().toList());
            }
        }
    }

    @Test
    void theEventsOfAKeyAndReplicaAreInOneSplit() {
        for (int position = 0; position < SIZE; position++) {
            for (int other = 0; other < SIZE; other++) {
                if (feed.key(position) == feed.key(other)) {
                    assertThat(splitOf(position, 3)).isEqualTo(splitOf(other, 3));
                }
            }
        }
    }

    private int splitOf(int position, int replica) {
        for (int i = 0; i < 4; i++) {
            List<String> events = new ArrayList<>();
            drain(new FeedCursor(feed, new FeedSplit("a run", i, 4, 5, 0, 0, 0)), events);
            if (events.contains(feed.event(position, replica))) {
                return i;
            }
        }
        throw new AssertionError("no split has " + feed.event(position, replica));
    }

    @Test
    void aCursorGoesOnFromItsSplitAtAnyMoment() {
        FeedSplit start = new FeedSplit("a run", 1, 3, 7, 0, 0, 0);
        List<String> all = new ArrayList<>();
        drain(new FeedCursor(feed, start), all);
        FeedCursor cursor = new FeedCursor(feed, start);
        for (int done = 0; done <= all.size(); done++) {
            FeedSplit split = cursor.split();
            assertThat(split.emitted()).isEqualTo(done);
            List<String> rest = new ArrayList<>();
            drain(new FeedCursor(feed, split), rest);
            assertThat(rest).isEqualTo(all.subList(done, all.size()));
            if (!cursor.exhausted()) {
                cursor.advance();
            }
        }
    }

    private void drain(FeedCursor cursor, List<String> events) {
        while (!cursor.exhausted()) {
            events.add(feed.event(cursor.position(), cursor.replica()));
            cursor.advance();
        }
    }
}
