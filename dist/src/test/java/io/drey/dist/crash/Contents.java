package io.drey.dist.crash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** What the states of a key hold before its turn number {@code turn}, counted from 0. */
final class Contents {
    static final String WRONG = "WRONG STATE";

    private static final int LIST_TURNS = 20;
    private static final int MAP_KEYS = 30;
    private static final int MAP_TURNS = 23;
    private static final int LARGE_KEYS = 50;
    private static final int LARGE_TURNS = 10;
    private static final int LARGE_BYTES = 100_000;

    private Contents() {}

    static boolean clearsList(long turn) {
        return turn % LIST_TURNS == 0;
    }

    static List<Long> list(long turn) {
        List<Long> list = new ArrayList<>();
        for (long each = Math.max(0, turn - 1) / LIST_TURNS * LIST_TURNS; each < turn; each++) {
            list.add(each);
        }
        return list;
    }

    static long mapKey(long turn) {
        return turn % MAP_KEYS;
    }

    /** Of the entry that a turn removes, put {@value #MAP_TURNS} turns earlier. */
    static long removedMapKey(long turn) {
        return mapKey(turn + MAP_KEYS - MAP_TURNS);
    }

    static String mapText(long key, long turn) {
        return "entry " + key + "/" + turn + "-".repeat((int) ((key + turn) % 100));
    }

    static Map<Long, String> map(long key, long turn) {
        Map<Long, String> map = new TreeMap<>();
        for (long each = Math.max(0, turn - MAP_TURNS); each < turn; each++) {
            map.put(mapKey(each), mapText(key, each));
        }
        return map;
    }

    static boolean writesLarge(long key, long turn) {
        return key % LARGE_KEYS == 0 && turn % LARGE_TURNS == 0;
    }

    static byte[] written(long key, long turn) {
        byte[] large = new byte[(int) (1 + turn / LARGE_TURNS % 5) * LARGE_BYTES];
        new SplittableRandom(key * 31 + turn).nextBytes(large);
        return large;
    }

    static byte[] large(long key, long turn) {
        return key % LARGE_KEYS != 0 || turn == 0 ? null : written(key, (turn - 1) / LARGE_TURNS * LARGE_TURNS);
    }

    static void check(String what, long key, long turn, Object found, Object expected) {
        boolean equal = expected instanceof byte[] bytes
                ? found instanceof byte[] others && Arrays.equals(bytes, others)
                : expected == null ? found == null : expected.equals(found);
        if (!equal) {
            throw new IllegalStateException(WRONG + ": " + what + " of key " + key + " before turn " + turn
                    + ": expected " + text(expected) + ", found " + text(found));
        }
    }

    private static String text(Object content) {
        return content instanceof byte[] bytes ? bytes.length + " bytes " + Arrays.hashCode(bytes) : "" + content;
    }
}
