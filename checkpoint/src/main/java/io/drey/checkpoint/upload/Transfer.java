package io.drey.checkpoint.upload;

/** Moves one file, up or down. */
@FunctionalInterface
public interface Transfer<T> {
    /** Registers everything that it opens, so that a failure elsewhere ends it soon; closes it all itself as well. */
    T run(OpenStreams open) throws Exception;
}
