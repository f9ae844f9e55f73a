package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;

/**
 * A refusal.
 *
 * @param reason what to do about it
 * @param sentence what was expected, what was found, and where
 * @param session of {@link Reason#FENCED}: the job's newest; else 0
 * @param silentMs since somebody renewed that session, as far as the worker knows; 0 from one that does not tell
 * @param elder whether the worker knows that who has that session began to lead before who is refused
 */
public record Fault(Reason reason, String sentence, long session, long silentMs, boolean elder) implements Body {
    private static final int SENTENCE_BYTES_MAX = 4 << 10;

    public Fault(Reason reason, String sentence) {
        this(reason, sentence, 0, 0, false);
    }

    /** Reasons that the other end acts on. */
    public enum Reason {
        /** Of a kind that this version does not know. */
        OTHER(0),
        /** No memory for another writer now: take another worker, or try again soon. */
        BUSY(1),
        /** No space: take another worker. */
        FULL(2),
        /** The worker drains: take another worker; what it holds is there again when it has restarted. */
        DRAINING(3),
        /** The disk fails: take another worker. */
        FAILING(4),
        /** The worker has no such partition, or it is not committed: ask the next candidate. */
        UNKNOWN_PARTITION(5),
        /** The worker does not hold a region that it should: the partition is lost. */
        LOST(6),
        /** A newer session of the job exists, and this one is over. */
        FENCED(7),
        /** The secret is wrong, or none was given. */
        DENIED(8),
        /** The request makes no sense: an error of the program that sent it. */
        WRONG(9),
        /** Another manifest was committed before. */
        CONFLICT(10),
        /** No common version. */
        VERSION(11);

        private final int code;

        Reason(int code) {
            this.code = code;
        }

        private static Reason of(int code) {
            for (Reason reason : values()) {
                if (reason.code == code) {
                    return reason;
                }
            }
            return OTHER;
        }
    }

    @Override
    public void write(FieldWriter out) {
        String shown =
                sentence.length() > SENTENCE_BYTES_MAX / 4 ? sentence.substring(0, SENTENCE_BYTES_MAX / 4) : sentence;
        out.number(1, reason.code).text(2, shown).number(3, session).number(4, silentMs);
        out.flag(5, elder);
    }

    public static Fault read(FieldReader in) {
        Reason reason = Reason.OTHER;
        String sentence = "";
        long session = 0;
        long silentMs = 0;
        boolean elder = false;
        for (int tag = in.next(); tag >= 0; tag = in.next()) {
            switch (tag) {
                case 1 -> reason = Reason.of(in.number(0, Integer.MAX_VALUE));
                case 2 -> sentence = in.text(SENTENCE_BYTES_MAX);
                case 3 -> session = in.number();
                case 4 -> silentMs = in.number();
                case 5 -> elder = in.flag();
                default -> {}
            }
        }
        return new Fault(reason, sentence, session, silentMs, elder);
    }

    @Override
    public String toString() {
        return reason + ": " + sentence;
    }
}
