package io.drey.checkpoint.restore;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.foundation.DreyException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which checkpoints a backend with a range of key groups is restored from, and which key groups each gives: after a
 * change of parallelism the ranges of parents and child differ. Parts are in ascending order and never overlap.
 */
public final class RescalePlan {
    private final List<Part> parts;
    private final List<String> gaps;
    private final String wanted;

    /** Key groups, inclusive, that the parent of that position in the given list gives. */
    public record Part(int parent, int keyGroupFrom, int keyGroupTo) {}

    private RescalePlan(List<Part> parts, List<String> gaps, String wanted) {
        this.parts = parts;
        this.gaps = gaps;
        this.wanted = wanted;
    }

    /** Cuts a range, inclusive, out of parents; two of them with the same key group of it are an error. */
    public static RescalePlan of(int keyGroupFrom, int keyGroupTo, List<Manifest> parents) {
        if (keyGroupFrom < 0 || keyGroupTo < keyGroupFrom) {
            throw new IllegalArgumentException(
                    "expected a range of key groups, found " + keyGroupFrom + ".." + keyGroupTo);
        }
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < parents.size(); i++) {
            int from = Math.max(keyGroupFrom, parents.get(i).keyGroupFrom());
            int to = Math.min(keyGroupTo, parents.get(i).keyGroupTo());
            if (from <= to) {
                parts.add(new Part(i, from, to));
            }
        }
        parts.sort(Comparator.comparingInt(Part::keyGroupFrom));
        List<String> gaps = new ArrayList<>();
        int next = keyGroupFrom;
        Part last = null;
        for (Part part : parts) {
            if (last != null && part.keyGroupFrom() <= last.keyGroupTo()) {
                throw new DreyException("expected each key group in one checkpoint, found " + part.keyGroupFrom()
                        + " in two: " + parents.get(last.parent()) + " and " + parents.get(part.parent())
                        + "; restore from the checkpoints of one job");
            }
            if (part.keyGroupFrom() > next) {
                gaps.add(next + ".." + (part.keyGroupFrom() - 1));
            }
            next = part.keyGroupTo() + 1;
            last = part;
        }
        if (next <= keyGroupTo) {
            gaps.add(next + ".." + keyGroupTo);
        }
        return new RescalePlan(List.copyOf(parts), List.copyOf(gaps), keyGroupFrom + ".." + keyGroupTo);
    }

    public List<Part> parts() {
        return parts;
    }

    /** Ranges of wanted key groups that no parent has. A subtask that never used state leaves no checkpoint behind. */
    public List<String> gaps() {
        return gaps;
    }

    /** Fails if there are gaps, for those who know that every parent has left a checkpoint. */
    public RescalePlan requireCovered() {
        if (!gaps.isEmpty()) {
            throw new DreyException("expected checkpoints for key groups " + wanted + ", found none for "
                    + String.join(", ", gaps) + "; restore from all checkpoints of the job");
        }
        return this;
    }
}
