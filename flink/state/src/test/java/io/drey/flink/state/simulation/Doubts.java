package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.flink.api.common.JobID;

/** Meta data of a completed checkpoint that is damaged for a while: who cannot read it deletes nothing. */
final class Doubts {
    private final World world;

    /** The damaged one, if it cannot be read; null if there is none. */
    private Cut cut;

    private Runnable undo = () -> {};

    /** What was cut already when somebody began to look. */
    private final Map<Errand, Cut> known = new WeakHashMap<>();

    /** That something has been cut: the same may be cut again later. */
    private static final class Cut {
        private final String path;

        Cut(String path) {
            this.path = path;
        }
    }

    Doubts(World world) {
        this.world = world;
    }

    /** Damages a file of the given ones, after the one before is whole again. */
    void damage(List<String> metadata) {
        heal();
        List<String> found = metadata.stream().filter(world.storage::has).toList();
        if (found.isEmpty()) {
            return;
        }
        String path = world.any(found);
        long draw = world.random.nextLong();
        if (world.random.nextInt(3) == 0) {
            world.tally.count(Event.METADATA_FLIPPED);
            undo = world.storage.flip(path, draw);
        } else {
            world.tally.count(Event.METADATA_CUT);
            undo = world.storage.cut(path, draw);
            cut = new Cut(path);
        }
    }

    void heal() {
        undo.run();
        undo = () -> {};
        cut = null;
    }

    /**
     * What somebody who looks into a job's directory cannot have read, as long as it is there; null for nothing. The
     * checkpoint that a job was restored from lies elsewhere, and lists nothing here.
     */
    String known(Errand look, JobID job) {
        if (!look.hasBegun() && cut != null) {
            known.put(look, cut);
        }
        Cut doubt = known.get(look);
        boolean isThere = doubt != null && doubt == cut && doubt.path.startsWith("/" + job + "/");
        return isThere ? doubt.path : null;
    }
}
