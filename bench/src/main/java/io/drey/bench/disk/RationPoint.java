package io.drey.bench.disk;

/**
 * The account of a rationed disk at a moment.
 *
 * @param epochMs when
 * @param credits I/Os that may be done beyond the lasting rate
 * @param iopsLimit I/Os a second that are allowed now, reads and writes together
 * @param iosDone since the device was made
 */
public record RationPoint(long epochMs, long credits, long iopsLimit, long iosDone) {}
