package io.drey.bench.cell;

/** Hears how a cell in its own process goes on, from a thread that reads what the process prints. */
@FunctionalInterface
public interface CellListener {
    /**
     * About twice a second.
     *
     * @param phase what it is doing, as {@link CellPhase#text} names it
     * @param seconds since the phase began
     * @param events that the job has processed
     * @param eventsPerSecond lately
     */
    void progress(String phase, double seconds, long events, double eventsPerSecond);
}
