package io.drey.shuffle.client;

import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.WorkerReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Chooses workers for new partitions: of two taken at random the one with less to do and more space, and other hosts
 * before a second worker of a host. Between two lists it counts what it gave itself.
 */
final class Placement {
    private final RandomGenerator random;
    private final Map<UUID, Integer> given = new HashMap<>();
    private List<Member> open = List.of();

    Placement(RandomGenerator random) {
        this.random = random;
    }

    /** A new list: it knows of what was given before. */
    void listed(List<Member> members) {
        given.clear();
        open = members.stream().filter(Member::isOpen).toList();
    }

    int open() {
        return open.size();
    }

    /** At most so many workers, the first one first; fewer if there are fewer. */
    List<Candidate> choose(int count) {
        List<Member> left = new ArrayList<>(open);
        List<Candidate> chosen = new ArrayList<>();
        Set<String> hosts = new HashSet<>();
        while (chosen.size() < count && !left.isEmpty()) {
            List<Member> elsewhere = left.stream()
                    .filter(each -> !hosts.contains(each.report().host()))
                    .toList();
            Member next = better(elsewhere.isEmpty() ? left : elsewhere);
            left.remove(next);
            hosts.add(next.report().host());
            chosen.add(new Candidate(
                    next.report().id(), next.report().host(), next.report().port()));
        }
        if (!chosen.isEmpty()) {
            given.merge(chosen.get(0).worker(), 1, Integer::sum);
        }
        return chosen;
    }

    private Member better(List<Member> among) {
        Member one = among.get(random.nextInt(among.size()));
        Member other = among.get(random.nextInt(among.size()));
        return cost(one) <= cost(other) ? one : other;
    }

    /** Writers there, each counting more the fuller the worker is. */
    private double cost(Member member) {
        WorkerReport.Load load = member.report().load();
        double writers = load.writers() + given.getOrDefault(member.report().id(), 0) + 1;
        double free = load.totalBytes() == 0 ? 1 : (double) load.freeBytes() / load.totalBytes();
        return writers / Math.max(free, 0.01);
    }
}
