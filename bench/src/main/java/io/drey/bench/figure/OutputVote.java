package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellResult.DigestBucket;
import io.drey.jobs.generate.EventTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the outputs of one job's cells.
 *
 * <ol>
 *   <li>The buckets of all cells are put together by their begin.
 *   <li>In each, every contender has a vote for each output that one of its cells has there. The output with most votes
 *       is expected; among equals the one that the first of the contenders in order of trust has.
 *   <li>Every cell with another output differs.
 * </ol>
 *
 * <p>A measured cell has the buckets before its restore from the checkpoint that it began with: in these it may differ,
 * but they do not show that what it made itself was compared.
 */
final class OutputVote {
    private record Ballot(CellResult of, DigestBucket bucket) {
        String contender() {
            return of.spec().contender();
        }

        String cell() {
            return of.spec().id();
        }

        String output() {
            return bucket.rows() + " rows, sum " + bucket.sum();
        }

        /** Whether the cell made all of the bucket itself. */
        boolean isOwn() {
            return of.spec().fills() || (of.firstEvent() >= 0 && bucket.start() >= EventTime.of(of.firstEvent()));
        }
    }

    private static final class Difference {
        final Set<String> cells = new LinkedHashSet<>();
        final Set<Long> buckets = new TreeSet<>();
        Ballot first;
        Ballot expected;
    }

    private final List<String> trusted;
    private final Map<Long, List<Ballot>> buckets = new TreeMap<>();
    private final Map<String, Difference> differences = new LinkedHashMap<>();
    private final Set<String> checkedCells = new TreeSet<>();

    /** Contenders of which any cell, and of which a measured one, was compared with another contender. */
    private final Set<String> checkedContenders = new TreeSet<>();

    private final Set<String> checkedAfterRestore = new TreeSet<>();
    private int commonBuckets;
    private long commonRows;

    private OutputVote(List<String> trusted) {
        this.trusted = trusted;
    }

    /**
     * Compares.
     *
     * @param cells of one job; those without state have an output of their own and are left out
     * @param trusted names of all contenders, most trusted first
     */
    static Agreement of(Collection<CellResult> cells, List<String> trusted) {
        OutputVote vote = new OutputVote(trusted);
        List<CellResult> withState = new ArrayList<>();
        for (CellResult cell : cells) {
            if (!cell.spec().load().stateless()) {
                withState.add(cell);
                vote.add(cell);
            }
        }
        vote.buckets.values().forEach(vote::count);
        return vote.result(withState);
    }

    private void add(CellResult cell) {
        for (DigestBucket bucket : cell.digests()) {
            buckets.computeIfAbsent(bucket.start(), start -> new ArrayList<>()).add(new Ballot(cell, bucket));
        }
    }

    private void count(List<Ballot> ballots) {
        Ballot expected = expected(ballots);
        List<Ballot> own = ballots.stream().filter(Ballot::isOwn).toList();
        if (own.stream().map(Ballot::contender).distinct().count() > 1) {
            commonBuckets++;
            commonRows += expected.bucket().rows();
            own.forEach(this::check);
        }
        for (Ballot ballot : ballots) {
            if (!ballot.output().equals(expected.output())) {
                differ(ballot, expected);
            }
        }
    }

    private void check(Ballot ballot) {
        checkedCells.add(ballot.cell());
        checkedContenders.add(ballot.contender());
        if (!ballot.of().spec().fills()) {
            checkedAfterRestore.add(ballot.contender());
        }
    }

    private Ballot expected(List<Ballot> ballots) {
        Map<String, Set<String>> votes = new LinkedHashMap<>();
        ballots.forEach(ballot -> votes.computeIfAbsent(ballot.output(), output -> new TreeSet<>())
                .add(ballot.contender()));
        int most = votes.values().stream().mapToInt(Set::size).max().orElse(0);
        Ballot best = null;
        for (Ballot ballot : ballots) {
            boolean won = votes.get(ballot.output()).size() == most;
            if (won && (best == null || trust(ballot) < trust(best))) {
                best = ballot;
            }
        }
        return best;
    }

    private int trust(Ballot ballot) {
        int place = trusted.indexOf(ballot.contender());
        return place < 0 ? trusted.size() : place;
    }

    private void differ(Ballot found, Ballot expected) {
        Difference difference = differences.computeIfAbsent(found.contender(), contender -> new Difference());
        difference.cells.add(found.cell());
        difference.buckets.add(found.bucket().start());
        if (difference.first == null) {
            difference.first = found;
            difference.expected = expected;
        }
    }

    private Agreement result(List<CellResult> cells) {
        List<Agreement.Dissent> dissents = new ArrayList<>();
        differences.forEach((contender, difference) -> dissents.add(new Agreement.Dissent(
                contender,
                List.copyOf(difference.cells),
                difference.buckets.size(),
                difference.first.bucket().start(),
                difference.first.output(),
                difference.expected.output())));
        List<String> unchecked = new ArrayList<>();
        boolean everyContender = !cells.isEmpty();
        for (CellResult cell : cells) {
            if (cell.error() == null && !checkedCells.contains(cell.spec().id())) {
                unchecked.add(cell.spec().id());
            }
            Set<String> checked = cell.spec().fills() ? checkedContenders : checkedAfterRestore;
            everyContender &=
                    cell.error() != null || checked.contains(cell.spec().contender());
        }
        Agreement.Status status = !dissents.isEmpty()
                ? Agreement.Status.DIFFERENT
                : everyContender && commonBuckets > 0 ? Agreement.Status.AGREED : Agreement.Status.NOT_COMPARABLE;
        return new Agreement(status, commonBuckets, commonRows, dissents, unchecked);
    }
}
