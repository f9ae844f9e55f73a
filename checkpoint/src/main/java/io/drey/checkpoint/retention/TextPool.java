package io.drey.checkpoint.retention;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps many sets of texts that have most of their texts in common: each text once, and for each set a bit for every
 * text that came between its first and its last one. A thousand checkpoints of ten thousand files each take a few
 * megabytes, where sets of references would take a task manager's heap. One thread.
 */
final class TextPool {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> texts = new ArrayList<>();

    /** A set of the same texts, which does not change. */
    Set<String> set(Set<String> given) {
        int[] all = new int[given.size()];
        int first = Integer.MAX_VALUE;
        int count = 0;
        for (String text : given) {
            int number = numbers.computeIfAbsent(text, absent -> texts.size());
            if (number == texts.size()) {
                texts.add(text);
            }
            first = Math.min(first, number);
            all[count++] = number;
        }
        BitSet bits = new BitSet();
        for (int number : all) {
            bits.set(number - first);
        }
        return new PooledSet(first, bits, count);
    }

    /** One of the sets. */
    private final class PooledSet extends AbstractSet<String> {
        private final int first;
        private final BitSet bits;
        private final int size;

        PooledSet(int first, BitSet bits, int size) {
            this.first = first;
            this.bits = bits;
            this.size = size;
        }

        @Override
        public boolean contains(Object text) {
            Integer number = numbers.get(text);
            return number != null && number >= first && bits.get(number - first);
        }

        @Override
        public Iterator<String> iterator() {
            return bits.stream().mapToObj(bit -> texts.get(first + bit)).iterator();
        }

        @Override
        public int size() {
            return size;
        }
    }
}
