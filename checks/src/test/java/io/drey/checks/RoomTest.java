package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Sizes of rooms, and names that occur once. */
final class RoomTest {
    /** A newcomer reads the list of a package at a glance. */
    private static final int TYPES_OF_A_PACKAGE_MAX = 25;

    /** The door of the store is what a user of the store reads first. */
    private static final int TYPES_OF_THE_STORE_MAX = 12;

    private static int most(String packageName) {
        return packageName.equals("io.drey.store") ? TYPES_OF_THE_STORE_MAX : TYPES_OF_A_PACKAGE_MAX;
    }

    private static List<String> crowded(List<House.Type> types) {
        Map<String, Integer> sizes = new TreeMap<>();
        types.forEach(type -> sizes.merge(type.packageName(), 1, Integer::sum));
        List<String> wrong = new ArrayList<>();
        sizes.forEach((name, size) -> {
            if (size > most(name)) {
                wrong.add(name + " has " + size + " types, at most " + most(name));
            }
        });
        return wrong;
    }

    private static List<String> twice(List<House.Type> types) {
        Map<String, String> seen = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        for (House.Type type : types) {
            String other = seen.putIfAbsent(type.name(), type.fullName());
            if (other != null) {
                wrong.add(other + " and " + type.fullName() + " have one name");
            }
        }
        return wrong;
    }

    @Test
    void packagesAreSmall() throws IOException {
        assertThat(House.mainTypes()).hasSizeGreaterThan(300);
        assertThat(crowded(House.mainTypes())).isEmpty();
    }

    @Test
    void typesHaveNamesOfTheirOwn() throws IOException {
        assertThat(twice(House.mainTypes())).isEmpty();
    }

    @Test
    void crowdsAndTwinsWouldBeFound() {
        List<House.Type> types = new ArrayList<>();
        for (int i = 0; i <= TYPES_OF_THE_STORE_MAX; i++) {
            types.add(new House.Type(null, "io.drey.store", "T" + i, null));
        }
        assertThat(crowded(types)).hasSize(1);
        assertThat(crowded(types.subList(1, types.size()))).isEmpty();
        assertThat(twice(types)).isEmpty();
        types.add(new House.Type(null, "io.drey.files", "T0", null));
        assertThat(twice(types)).containsExactly("io.drey.store.T0 and io.drey.files.T0 have one name");
    }
}
