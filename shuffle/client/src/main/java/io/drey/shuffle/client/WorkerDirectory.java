package io.drey.shuffle.client;

import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Membership.Health;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Membership.Workers;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Asks registries, one after the other: about all workers all of them, about one worker until one knows it and does not
 * take it for lost. One that began anew, or is cut off, knows less. Belongs to its lane's event loop.
 */
final class WorkerDirectory {
    /** The word of registries about workers. */
    sealed interface Answer {}

    /** The best that registries which answered said of each worker. */
    record Listed(List<Member> members) implements Answer {}

    /** No registry answered. */
    record Silent(Throwable lastCause) implements Answer {}

    /**
     * The next registry has the list too. The first word on one worker may cost data: it is waited for like any answer.
     */
    private static final long LIST_TIMEOUT_MS = 5_000;

    private final Lane lane;

    /** Who waits for the answer to a question that is under way. */
    private final Map<UUID, List<Consumer<Member>>> resolving = new HashMap<>();

    WorkerDirectory(Lane lane) {
        this.lane = lane;
    }

    /** Asks for these workers, or all if none is named. */
    void list(List<UUID> workers, Consumer<Answer> then) {
        ask(
                new ArrayList<>(lane.registryAddresses()),
                workers,
                new Silent(new IllegalStateException("no registry is named")),
                then);
    }

    /** Asks those that are left, after what others said. */
    private void ask(List<InetSocketAddress> left, List<UUID> workers, Answer before, Consumer<Answer> then) {
        if (left.isEmpty() || (!workers.isEmpty() && hasOneThatIsNotLost(before))) {
            then.accept(before);
            return;
        }
        Connection registry = lane.registry(left.remove(0));
        long timeoutMs = workers.isEmpty() || before instanceof Listed ? LIST_TIMEOUT_MS : Request.TIMEOUT_MS;
        new Request(registry, FrameType.LIST, new ListWorkers(workers), timeoutMs, (answer, cause) -> {
            Answer said;
            try {
                said = answer == null ? new Silent(cause) : read(answer);
            } catch (ProtocolException e) {
                said = new Silent(e);
            }
            ask(left, workers, joined(before, said), then);
        });
    }

    private static boolean hasOneThatIsNotLost(Answer answer) {
        return answer instanceof Listed listed
                && listed.members().stream().anyMatch(each -> each.health() != Health.LOST);
    }

    private static Answer joined(Answer before, Answer said) {
        if (before instanceof Listed one && said instanceof Listed other) {
            Map<UUID, Member> all = new LinkedHashMap<>();
            Stream.concat(one.members().stream(), other.members().stream())
                    .forEach(each -> all.merge(each.report().id(), each, Member::joined));
            return new Listed(List.copyOf(all.values()));
        }
        return before instanceof Listed ? before : said;
    }

    private static Answer read(Request.Answer answer) {
        return answer.type() == FrameType.WORKERS
                ? new Listed(
                        Workers.read(new FieldReader("WORKERS", answer.body())).members())
                : new Silent(answer.unexpected());
    }

    /** Learns where a worker is now; tells what is said of it, or null if nothing is known. */
    void resolve(UUID worker, Consumer<Member> then) {
        List<Consumer<Member>> waiting = resolving.get(worker);
        if (waiting != null) {
            waiting.add(then);
            return;
        }
        resolving.put(worker, new ArrayList<>(List.of(then)));
        list(List.of(worker), answer -> resolved(worker, answer));
    }

    /** Asks where a worker is now, unless that is asked already; nobody waits for the answer. */
    void look(UUID worker) {
        if (!resolving.containsKey(worker)) {
            resolve(worker, member -> {});
        }
    }

    private void note(Answer answer) {
        if (answer instanceof Listed listed) {
            listed.members().forEach(lane::moved);
        }
    }

    private void resolved(UUID worker, Answer answer) {
        note(answer);
        Member found = null;
        if (answer instanceof Listed listed) {
            for (Member member : listed.members()) {
                found = member.report().id().equals(worker) ? member : found;
            }
        }
        for (Consumer<Member> each : resolving.remove(worker)) {
            each.accept(found);
        }
    }
}
