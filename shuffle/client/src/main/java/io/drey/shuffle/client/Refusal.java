package io.drey.shuffle.client;

/**
 * The meaning of a refusal by a worker that has heard of a newer session of the job, and what its lease does then.
 * Sessions are numbers by the clocks of job managers, so a newer one may be of an earlier job manager: whose clock was
 * ahead, or that does not know yet that it leads no more. Of two the one that began to lead later is to lead.
 */
enum Refusal {
    /** The session has risen since it was asked, for another worker: asks again. */
    OUTDATED,

    /** Who has the newer one began to lead before: rises above it. */
    ELDER,

    /** Nobody has renewed the newer one for long, and was refused for as long: rises above it. */
    SILENT,

    /** A later job manager leads, for all that is known: goes on asking in its turn. */
    SUCCESSOR;

    /**
     * One that lives renews, and has found out by then that its connection is dead. Who is refused has heard by then
     * if it leads no more: it may have stood still, and be the elder of one that just cannot reach the worker.
     */
    static final int SILENT_RENEWALS = 6;

    private static final int STEP_MASK = 1023;

    /**
     * @param asked the session that the worker refused
     * @param session the one that the lease has by now
     * @param refusals how often it was refused there in a row before, for a successor
     * @param isElder whether the worker knows that who has the newer one began to lead before
     * @param silentMs for how long nobody has renewed it there
     */
    static Refusal of(long asked, long session, int refusals, boolean isElder, long silentMs) {
        if (asked < session) {
            return OUTDATED;
        }
        if (isElder) {
            return ELDER;
        }
        boolean isSilent = silentMs >= SILENT_RENEWALS * JobLease.RENEW_MS;
        return isSilent && refusals >= SILENT_RENEWALS ? SILENT : SUCCESSOR;
    }

    /** A session above another one. Two that rise above the same, each at another worker, do not come to one number. */
    static long above(long newer, long own) {
        return newer + 1 + (own & STEP_MASK);
    }
}
