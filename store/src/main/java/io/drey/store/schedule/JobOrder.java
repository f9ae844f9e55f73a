package io.drey.store.schedule;

/** Where a job stands among the others: the more urgent ones first, of these the one submitted first. */
abstract class JobOrder implements Background.Job, Comparable<JobOrder> {
    private final long sequence;
    private volatile Background.Urgency urgency;

    JobOrder(Background.Urgency urgency, long sequence) {
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
        return byUrgency != 0 ? byUrgency : Long.compare(sequence, other.sequence);
    }
}
