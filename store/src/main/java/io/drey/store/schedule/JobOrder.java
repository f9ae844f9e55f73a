package io.drey.store.schedule;

/**
 * Where a job stands among the others: the more urgent ones first, of these the one submitted first. Of those that
 * somebody waits for, what was more urgent without that: a flush would stand behind a compaction that is much longer.
 */
abstract class JobOrder implements Background.Job, Comparable<JobOrder> {
    private final long sequence;
    private final Background.Urgency submittedAs;
    private volatile Background.Urgency urgency;

    JobOrder(Background.Urgency urgency, long sequence) {
        this.submittedAs = urgency;
        this.urgency = urgency;
        this.sequence = sequence;
    }

    final Background.Urgency urgency() {
        return urgency;
    }

    @Override
    public void hurry() {
        urgency = Background.Urgency.WAITED_FOR;
    }

    @Override
    public final int compareTo(JobOrder other) {
        int byUrgency = urgency.compareTo(other.urgency);
        int byKind = submittedAs.compareTo(other.submittedAs);
        return byUrgency != 0 ? byUrgency : byKind != 0 ? byKind : Long.compare(sequence, other.sequence);
    }
}
