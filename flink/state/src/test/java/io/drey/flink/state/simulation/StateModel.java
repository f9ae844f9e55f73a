package io.drey.flink.state.simulation;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a job's keyed state should be, in plain collections: by key, then by state and namespace. Values are never
 * changed, so that a copy is cheap.
 */
final class StateModel {
    /** A value that expires. */
    record Expiring(String text, long at) {}

    private final Map<String, TreeMap<String, Object>> keys = new TreeMap<>();

    Object get(String key, String place) {
        TreeMap<String, Object> places = keys.get(key);
        return places == null ? null : places.get(place);
    }

    /** Sets a value; null removes it. */
    void set(String key, String place, Object value) {
        TreeMap<String, Object> places = keys.computeIfAbsent(key, absent -> new TreeMap<>());
        if (value == null) {
            places.remove(place);
        } else {
            places.put(place, value);
        }
    }

    /** All keys that have had state. */
    Iterable<String> keys() {
        return keys.keySet();
    }

    /** The state of a key by state and namespace. */
    Map<String, Object> places(String key) {
        return keys.getOrDefault(key, new TreeMap<>());
    }

    /** A copy of the keys that are wanted. */
    StateModel copy(Predicate<String> wanted) {
        StateModel copy = new StateModel();
        keys.forEach((key, places) -> {
            if (wanted.test(key)) {
                copy.keys.put(key, new TreeMap<>(places));
            }
        });
        return copy;
    }

    /** Adds the keys of another one, which are not here. */
    void add(StateModel other) {
        keys.putAll(other.keys);
    }
}
