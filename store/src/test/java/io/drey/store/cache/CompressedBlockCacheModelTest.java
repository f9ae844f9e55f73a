package io.drey.store.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Arena;
import io.drey.foundation.Hash;
import io.drey.foundation.Memory;
import io.drey.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompressedBlockCacheModelTest {
    private static final int BYTES_MAX = 200;

    private record Place(long file, long offset) {}

    @Test
    void holdsWhatWasPutThereAndNeverAnythingElse() {
        Seeds.cases(1000, seed -> {
            Random random = new Random(seed);
            int pageBytes = 64 << random.nextInt(5);
            try (Arena arena = new Arena(1 << (10 + random.nextInt(7)), pageBytes);
                    CompressedBlockCache cache = new CompressedBlockCache(random.nextInt(40), arena);
                    Bytes bytes = new Bytes()) {
                new Case(random, arena, cache, bytes).run();
            }
        });
    }

    /** Where entries are copied from. */
    private static final class Bytes implements AutoCloseable {
        final long address = Memory.allocate(BYTES_MAX);

        void fill(Place place, int length) {
            Memory.fill(address, BYTES_MAX, (byte) Hash.combine(place.file(), place.offset()));
            if (length >= 16) {
                Memory.putLong(address, place.file());
                Memory.putLong(address + length - 8, place.offset());
            }
        }

        @Override
        public void close() {
            Memory.free(address, BYTES_MAX);
        }
    }

    private static final class Case {
        private final Random random;
        private final Arena arena;
        private final CompressedBlockCache cache;
        private final Bytes bytes;
        private final Map<Place, Integer> lengths = new HashMap<>();
        private final int lengthMax;
        private final int files;
        private long firstFile = 1;
        private int limit = Integer.MAX_VALUE;

        Case(Random random, Arena arena, CompressedBlockCache cache, Bytes bytes) {
            this.random = random;
            this.arena = arena;
            this.cache = cache;
            this.bytes = bytes;
            this.lengthMax = 1 + random.nextInt(BYTES_MAX);
            this.files = 1 + random.nextInt(20);
            cache.leave(random.nextInt(3));
            if (random.nextBoolean()) {
                cache.watch(1 << 10, 100);
            }
        }

        void run() {
            for (int step = 0; step < 2000; step++) {
                int choice = random.nextInt(1000);
                if (choice < 980) {
                    use(new Place(firstFile + random.nextInt(files), random.nextInt(50) * 4096L));
                } else if (choice < 984) {
                    int pages = random.nextInt(20);
                    cache.shrink(pages);
                    assertThat(cache.pages()).isLessThanOrEqualTo(Math.max(pages, 1));
                } else if (choice < 988) {
                    limit = random.nextInt(40);
                    cache.limit(limit);
                } else {
                    forget();
                }
                assertThat(cache.pages() * (long) arena.pageBytes()).isEqualTo(arena.usedBytes(Arena.Use.CACHE));
            }
            for (int i = 0; i < 100; i++) {
                use(new Place(firstFile, 1_000_000L + i));
            }
            assertThat(cache.pages()).isLessThanOrEqualTo(limit);
        }

        /** The oldest file goes, and a new one may be used. */
        private void forget() {
            cache.forget(firstFile);
            firstFile++;
        }

        private void use(Place place) {
            boolean isThere = cache.contains(place.file(), place.offset());
            long found = cache.find(place.file(), place.offset());
            assertThat(found != CompressedBlockCache.NONE).isEqualTo(isThere);
            if (isThere) {
                int length = lengths.get(place);
                bytes.fill(place, length);
                assertThat(Memory.compare(found, length, bytes.address, length)).isZero();
                return;
            }
            int length = random.nextInt(lengthMax + 1);
            bytes.fill(place, length);
            cache.add(place.file(), place.offset(), bytes.address, length);
            lengths.put(place, length);
        }
    }

    @Test
    void keepsWhatIsAskedForAgainAndAgain() {
        try (Arena arena = new Arena(64 << 10, 1024);
                CompressedBlockCache cache = new CompressedBlockCache(20, arena);
                Bytes bytes = new Bytes()) {
            for (int i = 0; i < 10_000; i++) {
                long offset = i % 4 == 0 ? i % 40 : 1000 + i;
                boolean isThere = cache.find(1, offset) != CompressedBlockCache.NONE;
                if (!isThere) {
                    cache.add(1, offset, bytes.address, 150);
                }
                assertThat(isThere || i < 40 || offset >= 1000).isTrue();
            }
            assertThat(cache.pages()).isEqualTo(20);
        }
    }

    @Test
    void whatIsAliveOutlivesWhatIsDead() {
        try (Arena arena = new Arena(64 << 10, 1024);
                CompressedBlockCache cache = new CompressedBlockCache(40, arena);
                Bytes bytes = new Bytes()) {
            for (int i = 0; i < 100; i++) {
                cache.add(1 + i % 2, i, bytes.address, 150);
            }
            assertThat(cache.pages()).isLessThan(40);
            int most = cache.pages();
            cache.limit(most);
            assertThat(cache.hasRoom()).isFalse();
            cache.forget(2);
            assertThat(cache.hasRoom()).isTrue();
            for (int i = 0; i < 30; i++) {
                cache.add(3, i, bytes.address, 150);
            }
            for (int i = 0; i < 100; i += 2) {
                assertThat(cache.contains(1, i)).isTrue();
            }
            assertThat(cache.pages()).isEqualTo(most);
        }
    }

    @Test
    void aLargerCacheWouldHaveHadWhatComesBackSoon() {
        try (Arena arena = new Arena(64 << 10, 1024);
                CompressedBlockCache cache = new CompressedBlockCache(10, arena);
                Bytes bytes = new Bytes()) {
            cache.watch(8 << 10, 150);
            for (int round = 0; round < 10; round++) {
                for (int i = 0; i < 70; i++) {
                    if (cache.find(1, i) == CompressedBlockCache.NONE) {
                        cache.add(1, i, bytes.address, 150);
                    }
                }
            }
            assertThat(cache.missesOfSize()).isGreaterThan(cache.misses() / 2);
        }
    }
}
