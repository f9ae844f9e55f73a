package io.drey.store.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameCacheModelTest {
    private record Place(long file, long offset) {}

    @Test
    void holdsWhatWasPutThereAndNeverAnythingElse() {
        Seeds.cases(500, seed -> {
            Random random = new Random(seed);
            int frameBytes = 64 + 8 * random.nextInt(60);
            int framesMax = 1 + random.nextInt(40);
            try (Arena arena = new Arena(1 << (10 + random.nextInt(7)), 64 << random.nextInt(5));
                    FrameCache cache = new FrameCache(frameBytes, framesMax, arena)) {
                new Case(random, cache, frameBytes).run();
            }
        });
    }

    /** Each store of a slot has caches that may take most of it, which they never do all at once. */
    @Test
    void aCacheThatMayBecomeLargeTakesNothingOnTheHeapBeforeItIs() {
        try (Arena arena = new Arena(1 << 20, 1 << 16);
                FrameCache cache = new FrameCache(2048, 1 << 26, arena)) {
            for (long offset = 0; offset < 1000; offset++) {
                assertThat(cache.add(1, offset, 2048)).isNotEqualTo(FrameCache.NONE);
                assertThat(cache.find(1, offset)).isNotEqualTo(FrameCache.NONE);
            }
            assertThat(cache.frames()).isEqualTo(512);
        }
    }

    private static final class Case {
        private final Random random;
        private final FrameCache cache;
        private final int frameBytesLeast;
        private final Map<Place, Integer> lengths = new HashMap<>();
        private final List<Place> pinned = new ArrayList<>();
        private final List<Integer> pinnedFrames = new ArrayList<>();

        /** The frame of each place, as the cache tells. */
        private final int[] told = new int[4 * 50];

        Case(Random random, FrameCache cache, int frameBytesLeast) {
            this.random = random;
            this.cache = cache;
            this.frameBytesLeast = frameBytesLeast;
            Arrays.fill(told, FrameCache.NONE);
        }

        void run() {
            for (int step = 0; step < 1000; step++) {
                int choice = random.nextInt(100);
                Place place = new Place(1 + random.nextInt(3), random.nextInt(50) * 4096L);
                if (choice < 80) {
                    use(place);
                } else if (choice < 88) {
                    pin(place);
                } else if (choice < 96) {
                    unpin();
                } else if (choice < 97 && random.nextBoolean()) {
                    resize();
                } else if (choice < 97) {
                    cache.shrink(random.nextInt(40));
                } else if (choice < 98) {
                    cache.limit(random.nextInt(40));
                } else if (choice < 99) {
                    cache.trim();
                } else if (pinned.stream().noneMatch(other -> other.file() == place.file())) {
                    cache.forget(place.file());
                    assertThat(cache.find(place.file(), place.offset())).isEqualTo(FrameCache.NONE);
                }
                assertThat(told[indexOf(place)]).isEqualTo(cache.find(place.file(), place.offset()));
                for (int i = 0; i < pinned.size(); i++) {
                    Place kept = pinned.get(i);
                    assertThat(cache.find(kept.file(), kept.offset())).isEqualTo(pinnedFrames.get(i));
                    check(pinnedFrames.get(i), kept);
                }
            }
            while (!pinned.isEmpty()) {
                unpin();
            }
        }

        private void resize() {
            int before = cache.frameBytes();
            int after = frameBytesLeast + random.nextInt(3 * frameBytesLeast);
            int frames = cache.frames();
            assertThat(cache.resize(before)).isTrue();
            assertThat(cache.frames()).as("the same size changes nothing").isEqualTo(frames);
            boolean isKept = !pinned.isEmpty() && after != before;
            assertThat(cache.resize(after)).isEqualTo(!isKept);
            assertThat(cache.frameBytes()).isEqualTo(isKept ? before : after);
        }

        private void use(Place place) {
            int frame = cache.find(place.file(), place.offset());
            if (frame != FrameCache.NONE) {
                check(frame, place);
                return;
            }
            int length = 16 + random.nextInt(cache.frameBytes() - 15);
            frame = cache.add(place.file(), place.offset(), length);
            if (frame == FrameCache.NONE) {
                return;
            }
            if (random.nextInt(10) == 0) {
                cache.remove(frame);
                assertThat(cache.find(place.file(), place.offset())).isEqualTo(FrameCache.NONE);
                return;
            }
            cache.tell(frame, told, indexOf(place));
            lengths.put(place, length);
            Memory.fill(cache.address(frame), length, (byte) place.hashCode());
            Memory.putLong(cache.address(frame), place.file());
            Memory.putLong(cache.address(frame) + 8, place.offset());
            check(frame, place);
        }

        private static int indexOf(Place place) {
            return (int) (place.file() * 50 + place.offset() / 4096);
        }

        private void check(int frame, Place place) {
            assertThat(cache.length(frame)).isEqualTo(lengths.get(place));
            assertThat(Memory.getLong(cache.address(frame))).isEqualTo(place.file());
            assertThat(Memory.getLong(cache.address(frame) + 8)).isEqualTo(place.offset());
            if (cache.length(frame) > 16) {
                assertThat(Memory.getByte(cache.address(frame) + cache.length(frame) - 1))
                        .isEqualTo((byte) place.hashCode());
            }
        }

        private void pin(Place place) {
            int frame = cache.find(place.file(), place.offset());
            if (frame != FrameCache.NONE) {
                cache.pin(frame);
                pinned.add(place);
                pinnedFrames.add(frame);
            }
        }

        private void unpin() {
            if (!pinned.isEmpty()) {
                int i = random.nextInt(pinned.size());
                pinned.remove(i);
                cache.unpin(pinnedFrames.remove(i));
            }
        }
    }

    @Test
    void keepsWhatIsAskedForAgainAndAgain() {
        try (Arena arena = new Arena(64 << 10, 1024);
                FrameCache cache = new FrameCache(256, 40, arena)) {
            for (int i = 0; i < 10_000; i++) {
                long offset = i % 2 == 0 ? i % 20 : 1000 + i;
                boolean isThere = cache.find(1, offset) != FrameCache.NONE;
                if (!isThere) {
                    cache.add(1, offset, 256);
                }
                assertThat(isThere || i < 20 || offset >= 1000).isTrue();
            }
            assertThat(cache.frames()).isEqualTo(40);
        }
    }
}
