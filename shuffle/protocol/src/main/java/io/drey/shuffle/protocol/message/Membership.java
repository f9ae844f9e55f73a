package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The messages of registries. */
public interface Membership {
    int WORKERS_MAX = 1 << 14;
    int REASON_BYTES_MAX = 512;

    /** The health of a worker as a registry sees it. */
    enum Health {
        /** Heard lately. */
        ALIVE,
        /** Silent for a while: no new partitions for it, but what it holds is waited for. */
        SUSPECTED,
        /** Silent for so long that what it holds counts as lost. */
        LOST
    }

    /** LIST: these workers, or all if none is named. */
    record ListWorkers(List<UUID> ids) implements Body {
        @Override
        public void write(FieldWriter out) {
            ids.forEach(each -> out.id(1, each));
        }

        public static ListWorkers read(FieldReader in) {
            List<UUID> ids = new ArrayList<>();
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                if (tag == 1) {
                    if (ids.size() == WORKERS_MAX) {
                        throw in.wrong("at most " + WORKERS_MAX + " workers", "more");
                    }
                    ids.add(in.id());
                }
            }
            return new ListWorkers(ids);
        }
    }

    /**
     * One worker in a registry's list.
     *
     * @param silentMs since its last heartbeat
     * @param excluded by an operator: no new partitions for it
     */
    record Member(WorkerReport report, Health health, long silentMs, boolean excluded, String reason) implements Body {
        /** Whether it takes new partitions. */
        public boolean isOpen() {
            return health == Health.ALIVE && !excluded && report.state() == WorkerReport.State.RUNNING;
        }

        /** What two registries know of it together: the later heartbeat, and whether any of them excludes it. */
        public Member joined(Member other) {
            Member later = silentMs <= other.silentMs ? this : other;
            Member excluder = excluded ? this : other;
            return new Member(later.report, later.health, later.silentMs, excluder.excluded, excluder.reason);
        }

        @Override
        public void write(FieldWriter out) {
            out.nested(1, report).number(2, health.ordinal()).number(3, silentMs);
            out.flag(4, excluded).text(5, reason);
        }

        static Member read(FieldReader in) {
            WorkerReport report = null;
            Health health = Health.ALIVE;
            long silentMs = 0;
            boolean excluded = false;
            String reason = "";
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> report = WorkerReport.read(in.nested());
                    case 2 -> health = Health.values()[in.number(0, Health.values().length - 1)];
                    case 3 -> silentMs = in.size();
                    case 4 -> excluded = in.flag();
                    case 5 -> reason = in.text(REASON_BYTES_MAX);
                    default -> {}
                }
            }
            return new Member(in.required(report, "report"), health, silentMs, excluded, reason);
        }
    }

    /** WORKERS: the answer, in no order. */
    record Workers(List<Member> members) implements Body {
        @Override
        public void write(FieldWriter out) {
            members.forEach(each -> out.nested(1, each));
        }

        public static Workers read(FieldReader in) {
            List<Member> members = new ArrayList<>();
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                if (tag == 1) {
                    if (members.size() == WORKERS_MAX) {
                        throw in.wrong("at most " + WORKERS_MAX + " workers", "more");
                    }
                    members.add(Member.read(in.nested()));
                }
            }
            return new Workers(members);
        }
    }

    /** EXCLUDE: an operator takes a worker out of, or back into, the choice for new partitions. */
    record Exclude(UUID worker, boolean excluded, String reason) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.id(1, worker).flag(2, excluded).text(3, reason);
        }

        public static Exclude read(FieldReader in) {
            UUID worker = null;
            boolean excluded = false;
            String reason = "";
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> worker = in.id();
                    case 2 -> excluded = in.flag();
                    case 3 -> reason = in.text(REASON_BYTES_MAX);
                    default -> {}
                }
            }
            return new Exclude(in.required(worker, "worker"), excluded, reason);
        }
    }
}
