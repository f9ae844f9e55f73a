package io.drey.shuffle.client;

import java.util.ArrayList;
import java.util.List;

/** What befell the machines of a history, and whether that is a reason for a failure. */
final class Troubles {
    /** Of machines that are away for less than this part of the patience nobody may complain. */
    private static final double PATIENT_PART = 0.5;

    private static final long RECENT_NANOS = 15 * World.SECOND;

    /** From one time to another a machine does not do what it should, or after it what it has is not what it had. */
    private record Trouble(int machine, long from, long to, boolean isLasting) {}

    private final World world;
    private final long patienceNanos;
    private final List<Trouble> troubles = new ArrayList<>();

    Troubles(World world, long patienceNanos) {
        this.world = world;
        this.patienceNanos = patienceNanos;
    }

    /** A machine is away, or of no use, for some time. */
    void passing(int machine, long nanos) {
        troubles.add(new Trouble(machine, world.now(), world.now() + nanos, false));
    }

    /** What a machine has may be gone from now on. */
    void lasting(int machine) {
        troubles.add(new Trouble(machine, world.now(), Long.MAX_VALUE, true));
    }

    /** Why something that concerns these machines since a time may have failed. */
    boolean excuse(List<Integer> machines, long since) {
        long away = 0;
        for (Trouble each : troubles) {
            if (machines.contains(each.machine())) {
                if (each.isLasting() && each.from() >= since) {
                    return true;
                }
                away += Math.max(0, Math.min(each.to(), world.now()) - Math.max(each.from(), since));
            }
        }
        return away >= patienceNanos * PATIENT_PART;
    }

    /** Whether one of these machines was in trouble lately, as far as a job manager waits that comes anew. */
    boolean isRecent(List<Integer> machines) {
        return troubles.stream()
                .anyMatch(each -> machines.contains(each.machine()) && each.to() > world.now() - RECENT_NANOS);
    }

    boolean isCalm() {
        return troubles.stream().noneMatch(each -> each.to() > world.now() && !each.isLasting());
    }

    boolean isEmpty() {
        return troubles.isEmpty();
    }
}
