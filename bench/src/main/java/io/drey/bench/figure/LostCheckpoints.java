package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellResult.Checkpoint;
import io.drey.bench.result.Comparison;
import java.util.ArrayList;
import java.util.List;

/** The checkpoints that did not complete: a contender that loses them does less than one whose checkpoints complete. */
final class LostCheckpoints {
    private LostCheckpoints() {}

    private static List<Checkpoint> measured(CellResult cell) {
        return cell.checkpoints().stream().filter(Checkpoint::measured).toList();
    }

    private static long lost(CellResult cell) {
        return measured(cell).stream()
                .filter(checkpoint -> !checkpoint.completed())
                .count();
    }

    /** Those that did not just run out of time at the end of the cell. */
    private static List<Checkpoint> failed(CellResult cell) {
        return cell.checkpoints().stream()
                .filter(checkpoint -> checkpoint.failure() != null)
                .toList();
    }

    private static String share(CellResult cell) {
        return lost(cell) + " of " + measured(cell).size();
    }

    /**
     * What there is to say of a cell, a sentence each.
     *
     * @param name of the cell, as a sentence begins with it
     */
    static List<String> notes(String name, CellResult cell) {
        List<String> notes = new ArrayList<>();
        if (lost(cell) > 0) {
            notes.add(name + ": " + share(cell) + " measured checkpoints did not complete.");
        }
        List<Checkpoint> failed = failed(cell);
        if (!failed.isEmpty()) {
            notes.add(name + ": Flink reported " + failed.size() + " as failed, the last one: "
                    + failed.get(failed.size() - 1).failure() + ".");
        }
        return notes;
    }

    /** The sentence on all cells of a comparison that lost checkpoints, or null if none did. */
    static String sentence(Comparison comparison) {
        CellResult worst = null;
        int cells = 0;
        int failed = 0;
        for (CellResult cell : comparison.cells()) {
            if (cell.error() == null && lost(cell) + failed(cell).size() > 0) {
                worst = worst == null || lost(cell) > lost(worst) ? cell : worst;
                cells++;
                failed += failed(cell).size();
            }
        }
        if (worst == null) {
            return null;
        }
        String reported = failed == 0 ? "" : "; Flink reported " + failed + " as failed";
        return "Checkpoints did not complete in " + cells + " of "
                + comparison.cells().size() + " cells, in " + worst.spec().id() + " " + share(worst) + " measured ones"
                + reported + ": the report says where.";
    }
}
