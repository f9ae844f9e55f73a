package io.drey.jobs.generate;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * The only split of a generated input.
 *
 * @param fingerprint of the settings, to notice a checkpoint of another run
 * @param position of the next event
 */
record LoadSplit(long fingerprint, long position) implements SourceSplit {
    private static final String ID = "load";

    @Override
    public String splitId() {
        return ID;
    }
}
