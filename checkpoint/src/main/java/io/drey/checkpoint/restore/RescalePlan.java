package io.drey.checkpoint.restore;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.foundation.DreyException;
import java.util.ArrayList;
import java.util.Arrays;
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
     * Cuts a range, inclusive, out of parents. Of two with the same key group the one of the later generation gives it;
     * two of one generation are an error. A checkpoint that is given twice counts once. Both happen under Flink's
     * changelog wrapper: subtasks that came from one each carry on all of it until they have materialized their own.
     */
    public static RescalePlan of(int keyGroupFrom, int keyGroupTo, List<Manifest> parents) {
        if (keyGroupFrom < 0 || keyGroupTo < keyGroupFrom) {
            throw new IllegalArgumentException(
                    "expected a range of key groups, found " + keyGroupFrom + ".." + keyGroupTo);
        }
        int[] givers = new int[keyGroupTo - keyGroupFrom + 1];
        Arrays.fill(givers, -1);
        for (int i = 0; i < parents.size(); i++) {
            Manifest parent = parents.get(i);
            int to = isAmong(parents.subList(0, i), parent) ? -1 : Math.min(keyGroupTo, parent.keyGroupTo());
            for (int group = Math.max(keyGroupFrom, parent.keyGroupFrom()); group <= to; group++) {
                int giver = givers[group - keyGroupFrom];
                givers[group - keyGroupFrom] = giver < 0 ? i : later(group, giver, i, parents);
            }
        }
        return new RescalePlan(parts(keyGroupFrom, givers));
    }

    private static int later(int keyGroup, int one, int other, List<Manifest> parents) {
        int order = Integer.compare(
                parents.get(one).generation(), parents.get(other).generation());
        if (order == 0) {
            throw new DreyException("expected each key group in one checkpoint, found " + keyGroup + " in two: "
                    + parents.get(one) + " and " + parents.get(other) + "; restore from the checkpoints of one job");
        }
        return order > 0 ? one : other;
    }

    private static List<Part> parts(int keyGroupFrom, int[] givers) {
        List<Part> parts = new ArrayList<>();
        for (int from = 0, to; from < givers.length; from = to) {
            to = from + 1;
            while (to < givers.length && givers[to] == givers[from]) {
                to++;
            }
            if (givers[from] >= 0) {
                parts.add(new Part(givers[from], keyGroupFrom + from, keyGroupFrom + to - 1));
            }
        }
        return List.copyOf(parts);
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
