package io.drey.checkpoint.restore;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.foundation.DreyException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The checkpoints that a backend with a range of key groups is restored from, and the key groups that each gives. After
 * a change of parallelism the ranges of parents and child differ. Parts are in ascending order and never overlap; a
 * subtask that never used state leaves no checkpoint, so they may have gaps.
 */
public final class RescalePlan {
    private final List<Part> parts;

    /** Key groups, inclusive, that the parent of that position in the given list gives. */
    public record Part(int parent, int keyGroupFrom, int keyGroupTo) {}

    private RescalePlan(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * Cuts a range, inclusive, out of parents; two of them with the same key group of it are an error. A checkpoint that
     * is given twice counts once: under Flink's changelog wrapper, subtasks that came from one each carry on all of it.
     */
    public static RescalePlan of(int keyGroupFrom, int keyGroupTo, List<Manifest> parents) {
        if (keyGroupFrom < 0 || keyGroupTo < keyGroupFrom) {
            throw new IllegalArgumentException(
                    "expected a range of key groups, found " + keyGroupFrom + ".." + keyGroupTo);
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < parents.size(); i++) {
            int from = Math.max(keyGroupFrom, parents.get(i).keyGroupFrom());
            int to = Math.min(keyGroupTo, parents.get(i).keyGroupTo());
            if (from <= to && !isAmong(parents.subList(0, i), parents.get(i))) {
                parts.add(new Part(i, from, to));
            }
        }
        parts.sort(Comparator.comparingInt(Part::keyGroupFrom));
        Part last = null;
        for (Part part : parts) {
            if (last != null && part.keyGroupFrom() <= last.keyGroupTo()) {
                throw new DreyException("expected each key group in one checkpoint, found " + part.keyGroupFrom()
                        + " in two: " + parents.get(last.parent()) + " and " + parents.get(part.parent())
                        + "; restore from the checkpoints of one job");
            }
            last = part;
        }
        return new RescalePlan(List.copyOf(parts));
    }

    private static boolean isAmong(List<Manifest> others, Manifest checkpoint) {
        return others.stream()
                .anyMatch(other -> other.backendId().equals(checkpoint.backendId())
                        && other.checkpointId() == checkpoint.checkpointId());
    }

    public List<Part> parts() {
        return parts;
    }
}
