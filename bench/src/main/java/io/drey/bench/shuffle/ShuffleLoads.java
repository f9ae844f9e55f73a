package io.drey.bench.shuffle;

import java.util.ArrayList;
import java.util.List;

/** Loads of a comparison of shuffle services, in the order in which they run. */
public final class ShuffleLoads {
    private static final List<ShuffleLoad> ALL = all();

    private final List<ShuffleLoad> loads;

    private ShuffleLoads(List<ShuffleLoad> loads) {
        this.loads = loads;
    }

    private static List<ShuffleLoad> all() {
        List<ShuffleLoad> all = new ArrayList<>(List.of(ExchangeLoad.values()));
        all.add(new ConcurrentReadersLoad());
        all.add(new TpchLoad());
        return List.copyOf(all);
    }

    /** Those that run if none is named: the others take long, or are made for a limited disk. */
    public static ShuffleLoads usual() {
        return new ShuffleLoads(List.of(ExchangeLoad.values()));
    }

    /**
     * The loads of some names, each once.
     *
     * @throws IllegalArgumentException with a sentence if one has none
     */
    public static ShuffleLoads named(List<String> names) {
        return new ShuffleLoads(
                names.stream().map(ShuffleLoads::named).distinct().toList());
    }

    private static ShuffleLoad named(String name) {
        for (ShuffleLoad load : ALL) {
            if (load.text().equals(name)) {
                return load;
            }
        }
        List<String> names = ALL.stream().map(ShuffleLoad::text).toList();
        throw new IllegalArgumentException(
                "There is no shuffle job '" + name + "'; expected some of " + String.join(", ", names) + ".");
    }

    List<ShuffleLoad> list() {
        return loads;
    }
}
