package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The messages of job managers: a job's lease, its commits, and the release of its data. */
public interface Leasing {
    /**
     * RENEW: the job is alive; tell its commits.
     *
     * @param session a higher number than any earlier session of the job; requests of earlier ones are fenced from now
     *     on
     * @param since the sequence that the last answer gave; 0: all commits
     * @param keepMs how long data is kept without another renewal; 0: as long as the worker's option says, which is
     *     also the most
     * @param ageMs for how long whoever asks has led: of two the later one leads, whatever their clocks say
     */
    record Renew(String job, long session, long since, long keepMs, long ageMs) implements Body {
        public Renew {
            PartitionKey.checkName("a job", job);
        }

        @Override
        public void write(FieldWriter out) {
            out.text(1, job)
                    .number(2, session)
                    .number(3, since)
                    .number(4, keepMs)
                    .number(5, ageMs);
        }

        public static Renew read(FieldReader in) {
            String job = null;
            long session = 0;
            long since = 0;
            long keepMs = 0;
            long ageMs = 0;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> job = in.text(PartitionKey.NAME_CHARS_MAX);
                    case 2 -> session = in.number();
                    case 3 -> since = in.size();
                    case 4 -> keepMs = in.size();
                    case 5 -> ageMs = in.size();
                    default -> {}
                }
            }
            return new Renew(in.required(job, "job"), session, since, keepMs, ageMs);
        }
    }

    /**
     * LEASE: the answer.
     *
     * @param incarnation of the worker's storage; sequences are comparable only within one
     * @param sequence what to give as {@code since} next time
     * @param more whether there are more commits now: ask again at once
     * @param commits those after {@code since}, oldest first; released ones are left out
     * @param uncommitted if {@code since} was 0, partitions that have no commit yet, at most {@link #UNCOMMITTED_MAX}
     */
    record Lease(
            UUID incarnation, long sequence, boolean more, List<Writing.Commit> commits, List<PartitionKey> uncommitted)
            implements Body {
        public static final int UNCOMMITTED_MAX = 1 << 12;

        private static final int COMMITS_MAX = 1 << 16;

        @Override
        public void write(FieldWriter out) {
            out.id(1, incarnation).number(2, sequence).flag(3, more);
            commits.forEach(each -> out.nested(4, each));
            uncommitted.forEach(each -> out.nested(5, each));
        }

        public static Lease read(FieldReader in) {
            UUID incarnation = null;
            long sequence = 0;
            boolean more = false;
            List<Writing.Commit> commits = new ArrayList<>();
            List<PartitionKey> uncommitted = new ArrayList<>();
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> incarnation = in.id();
                    case 2 -> sequence = in.size();
                    case 3 -> more = in.flag();
                    case 4 -> {
                        if (commits.size() == COMMITS_MAX) {
                            throw in.wrong("at most " + COMMITS_MAX + " commits", "more");
                        }
                        commits.add(Writing.Commit.read(in.nested()));
                    }
                    case 5 -> {
                        if (uncommitted.size() == UNCOMMITTED_MAX) {
                            throw in.wrong("at most " + UNCOMMITTED_MAX + " partitions without a commit", "more");
                        }
                        uncommitted.add(PartitionKey.read(in.nested()));
                    }
                    default -> {}
                }
            }
            return new Lease(in.required(incarnation, "incarnation"), sequence, more, commits, uncommitted);
        }
    }

    /**
     * RELEASE: data of a job that nobody needs any more; what is not there is no error.
     *
     * @param session as in {@link Renew}
     * @param keys these partitions, all of this job; if there are none, the whole job with its lease
     * @param uncommitted from a writer that gave up, which knows no session: these partitions, unless they are committed
     */
    record Release(String job, long session, List<PartitionKey> keys, boolean uncommitted) implements Body {
        private static final int KEYS_MAX = 1 << 13;

        /** What the job does not want, committed or not. */
        public Release(String job, long session, List<PartitionKey> keys) {
            this(job, session, keys, false);
        }

        public Release {
            PartitionKey.checkName("a job", job);
        }

        @Override
        public void write(FieldWriter out) {
            out.text(1, job).number(2, session);
            keys.forEach(each -> out.nested(3, each));
            out.flag(4, uncommitted);
        }

        public static Release read(FieldReader in) {
            String job = null;
            long session = 0;
            List<PartitionKey> keys = new ArrayList<>();
            boolean uncommitted = false;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> job = in.text(PartitionKey.NAME_CHARS_MAX);
                    case 2 -> session = in.number();
                    case 3 -> {
                        if (keys.size() == KEYS_MAX) {
                            throw in.wrong("at most " + KEYS_MAX + " partitions", "more");
                        }
                        keys.add(PartitionKey.read(in.nested()));
                    }
                    case 4 -> uncommitted = in.flag();
                    default -> {}
                }
            }
            String owner = in.required(job, "job");
            for (PartitionKey key : keys) {
                if (!key.job().equals(owner)) {
                    throw in.wrong("partitions of job " + owner, key.toString());
                }
            }
            return new Release(owner, session, keys, uncommitted);
        }
    }
}
