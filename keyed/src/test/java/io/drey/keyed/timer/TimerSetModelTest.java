package io.drey.keyed.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Timer sets against sorted sets, one a key group, with limits of a few elements, so that elements become near and far
 * all the time, and with snapshots, restores and changes of parallelism in between.
 */
@Tag(Effort.TAG)
class TimerSetModelTest {
    private static final long OPERATIONS = 120_000;
    private static final int STEPS_PER_CASE = 300;
    private static final int PARALLELISM_MAX = TimerSubtasks.KEY_GROUPS;
    private static final long[] EDGES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    private final List<TreeSet<byte[]>> model = new ArrayList<>();
    private SplittableRandom random;
    private TimerSubtasks subtasks;
    private TimerLimits limits;
    private int rankRange;
    private long now;
    private long operations;

    @Test
    void behavesLikeASortedSet() {
        Seeds.operations(OPERATIONS, this::runCase);
    }

    private long runCase(long seed) throws Exception {
        random = new SplittableRandom(seed);
        limits = someLimits();
        rankRange = random.nextBoolean() ? 1 + random.nextInt(5) : 1 + random.nextInt(5_000);
        now = 0;
        operations = 0;
        model.clear();
        for (int i = 0; i < TimerSubtasks.KEY_GROUPS; i++) {
            model.add(new TreeSet<>(Arrays::compareUnsigned));
        }
        subtasks = TimerSubtasks.empty(1 + random.nextInt(PARALLELISM_MAX), limits, random);
        try {
            for (int i = 0; i < STEPS_PER_CASE; i++) {
                step();
                checkFirsts();
            }
            checkAll();
        } finally {
            subtasks.close();
        }
        return operations;
    }

    private TimerLimits someLimits() {
        int near = random.nextBoolean() ? 1 + random.nextInt(8) : 1 + random.nextInt(600);
        int buckets = random.nextInt(4) == 0 ? 1 + random.nextInt(10) : 1 << 10;
        int fill = 1 + random.nextInt(near < 10 ? 6 : 40);
        return new TimerLimits(near, fill, 1 + random.nextInt(8 * fill), buckets);
    }

    private void step() throws Exception {
        switch (random.nextInt(40)) {
            case 0 -> subtasks.checkpoint();
            case 1 -> checkAll();
            case 2 -> {
                for (int keyGroup = 0; keyGroup < TimerSubtasks.KEY_GROUPS; keyGroup++) {
                    assertSame(subtasks.savepointRows(keyGroup), model.get(keyGroup));
                }
            }
            case 3 -> {
                if (random.nextInt(4) == 0) {
                    limits = someLimits();
                    int parallelism = 1 + random.nextInt(PARALLELISM_MAX);
                    subtasks = random.nextInt(3) == 0
                            ? subtasks.throughSavepoint(parallelism, limits, random)
                            : subtasks.rescaled(parallelism, limits, random);
                }
            }
            case 4, 5 -> subtasks.subtasks.forEach(subtask -> subtask.background.step());
            case 6, 7, 8 -> {
                for (int i = random.nextInt(300); i > 0; i--) {
                    add(someElement());
                }
            }
            case 9, 10, 11 -> {
                for (int i = random.nextInt(300); i > 0; i--) {
                    poll();
                }
            }
            case 12, 13, 14, 15 -> remove(someElement());
            case 16, 17, 18 -> removeOneThatIsThere();
            case 19, 20, 21, 22, 23, 24 -> poll();
            default -> add(someElement());
        }
    }

    private byte[] someElement() {
        long rank = now + random.nextInt(rankRange);
        if (random.nextInt(20) == 0) {
            rank = EDGES[random.nextInt(EDGES.length)];
        } else if (random.nextInt(20) == 0) {
            rank = random.nextLong();
        }
        int length = Long.BYTES + random.nextInt(3);
        if (random.nextInt(30) == 0) {
            length = random.nextInt(Long.BYTES);
        } else if (random.nextInt(60) == 0) {
            length = Long.BYTES + random.nextInt(1500);
        }
        byte[] element = new byte[Math.max(length, Long.BYTES)];
        Element.putRank(rank, element);
        for (int i = Long.BYTES; i < length; i++) {
            element[i] = (byte) random.nextInt(i < 10 ? 30 : 2);
        }
        now += random.nextInt(3);
        return Arrays.copyOf(element, length);
    }

    private static int keyGroup(byte[] element) {
        return (Arrays.hashCode(element) & 0x7fffffff) % TimerSubtasks.KEY_GROUPS;
    }

    private static Element of(byte[] element) {
        // Somewhere inside a larger array, as serializers leave them.
        byte[] array = new byte[element.length + 5];
        System.arraycopy(element, 0, array, 3, element.length);
        return new Element().at(keyGroup(element), array, 3, element.length);
    }

    private void add(byte[] element) {
        operations++;
        TimerSubtasks.Subtask subtask = subtasks.of(keyGroup(element));
        byte[] before = firstOf(subtask);
        boolean isFirst = subtask.set.add(of(element));
        model.get(keyGroup(element)).add(element);
        if (before == null || rank(before) != rank(element)) {
            assertThat(isFirst).isEqualTo(before == null || Arrays.compareUnsigned(element, before) < 0);
        }
    }

    private void remove(byte[] element) {
        operations++;
        TimerSubtasks.Subtask subtask = subtasks.of(keyGroup(element));
        byte[] first = firstOf(subtask);
        boolean wasFirst = subtask.set.remove(of(element));
        model.get(keyGroup(element)).remove(element);
        assertThat(wasFirst).isEqualTo(first != null && Arrays.equals(element, first));
    }

    private void removeOneThatIsThere() {
        TreeSet<byte[]> group = model.get(random.nextInt(model.size()));
        byte[] found = group.ceiling(someElement());
        if (found != null) {
            remove(found);
        }
    }

    private void poll() {
        operations++;
        TimerSubtasks.Subtask subtask = subtasks.subtasks.get(random.nextInt(subtasks.subtasks.size()));
        byte[] first = checkedFirst(subtask);
        if (first != null) {
            subtask.set.removeFirst();
            model.get(keyGroup(first)).remove(first);
        }
    }

    private static byte[] firstOf(TimerSubtasks.Subtask subtask) {
        return subtask.set.settle() ? subtask.set.first().toArray() : null;
    }

    private void checkFirsts() {
        subtasks.subtasks.forEach(this::checkedFirst);
    }

    private byte[] checkedFirst(TimerSubtasks.Subtask subtask) {
        byte[] expected = null;
        for (int keyGroup = subtask.keyGroupFrom; keyGroup <= subtask.keyGroupTo; keyGroup++) {
            TreeSet<byte[]> group = model.get(keyGroup);
            if (!group.isEmpty() && (expected == null || Arrays.compareUnsigned(group.first(), expected) < 0)) {
                expected = group.first();
            }
        }
        byte[] first = firstOf(subtask);
        if (first == null || expected == null) {
            assertThat(first).isEqualTo(expected);
        } else {
            assertThat(rank(first)).isEqualTo(rank(expected));
            assertThat(first).isEqualTo(model.get(keyGroup(first)).first());
            assertThat(subtask.set.first().keyGroup()).isEqualTo(keyGroup(first));
        }
        checkLimits(subtask);
        return first;
    }

    private static long rank(byte[] element) {
        return Element.rank(element, 0, element.length);
    }

    /** What is near does not depend on how many elements there are. */
    private void checkLimits(TimerSubtasks.Subtask subtask) {
        int heaviest = Element.weight(Long.BYTES + 1500);
        int loaded = TimerSubtasks.KEY_GROUPS * (2 * limits.bucketFill() + heaviest);
        assertThat(subtask.set.near().weight()).isLessThanOrEqualTo(limits.nearMax() + loaded + heaviest);
    }

    private void checkAll() {
        for (TimerSubtasks.Subtask subtask : subtasks.subtasks) {
            for (int keyGroup = subtask.keyGroupFrom; keyGroup <= subtask.keyGroupTo; keyGroup++) {
                checkWalk(subtask, keyGroup);
            }
        }
        for (TimerSubtasks.Subtask subtask : subtasks.subtasks) {
            int size = 0;
            for (int keyGroup = subtask.keyGroupFrom; keyGroup <= subtask.keyGroupTo; keyGroup++) {
                size += model.get(keyGroup).size();
            }
            assertThat(subtask.set.size()).isEqualTo(size);
        }
    }

    /** Elements come and go during the walk; those that stay all the time are seen once. */
    private void checkWalk(TimerSubtasks.Subtask subtask, int keyGroup) {
        boolean changes = random.nextBoolean();
        TreeSet<byte[]> stayed = new TreeSet<>(model.get(keyGroup));
        TreeSet<byte[]> everThere = new TreeSet<>(model.get(keyGroup));
        TreeSet<byte[]> seen = new TreeSet<>(Arrays::compareUnsigned);
        TimerScan walk = new TimerScan(subtask.set, keyGroup, keyGroup);
        while (walk.next()) {
            byte[] element = Arrays.copyOfRange(walk.bytes(), walk.offset(), walk.offset() + walk.length());
            assertThat(seen.add(element)).isTrue();
            if (changes && random.nextInt(50) == 0) {
                poll();
                add(someElement());
                stayed.retainAll(model.get(keyGroup));
                everThere.addAll(model.get(keyGroup));
            }
        }
        assertThat(everThere.containsAll(seen)).isTrue();
        assertThat(seen.containsAll(stayed)).isTrue();
    }

    private static void assertSame(TreeSet<byte[]> found, TreeSet<byte[]> expected) {
        assertThat(found).hasSameSizeAs(expected);
        assertThat(found.containsAll(expected)).isTrue();
    }
}
