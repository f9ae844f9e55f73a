package io.drey.flink.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** What {@link StressStates} must hold, in plain collections. */
final class StressModel {
    /** Where state of a namespace is. */
    record Place(String key, String namespace) {}

    /** What expires some time after it was written. */
    record Stamped(String text, long writtenAt) {}

    final Map<Place, String> values;
    final Map<Place, List<String>> lists;
    final Map<Place, TreeMap<String, String>> maps;
    final Map<Place, Long> sums;
    final Map<Place, Long> maxima;
    final Map<String, Stamped> expiringValues;
    final Map<String, List<Stamped>> expiringLists;
    final Map<String, TreeMap<String, Stamped>> expiringMaps;
    final TreeMap<Long, TreeSet<String>> timers;

    StressModel() {
        values = new HashMap<>();
        lists = new HashMap<>();
        maps = new HashMap<>();
        sums = new HashMap<>();
        maxima = new HashMap<>();
        expiringValues = new HashMap<>();
        expiringLists = new HashMap<>();
        expiringMaps = new HashMap<>();
        timers = new TreeMap<>();
    }

    private StressModel(StressModel of) {
        values = new HashMap<>(of.values);
        lists = deep(of.lists, ArrayList::new);
        maps = deep(of.maps, TreeMap::new);
        sums = new HashMap<>(of.sums);
        maxima = new HashMap<>(of.maxima);
        expiringValues = new HashMap<>(of.expiringValues);
        expiringLists = deep(of.expiringLists, ArrayList::new);
        expiringMaps = deep(of.expiringMaps, TreeMap::new);
        timers = new TreeMap<>(deep(of.timers, TreeSet::new));
    }

    private static <K, V> Map<K, V> deep(Map<K, V> map, UnaryOperator<V> copy) {
        Map<K, V> copied = new HashMap<>();
        map.forEach((key, value) -> copied.put(key, copy.apply(value)));
        return copied;
    }

    StressModel copy() {
        return new StressModel(this);
    }
}
