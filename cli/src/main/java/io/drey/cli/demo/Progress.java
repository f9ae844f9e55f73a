package io.drey.cli.demo;

import java.util.OptionalLong;

/**
 * The state of a run at one moment.
 *
 * @param events emitted since the job first started, with those before a restored checkpoint
 * @param eventsPerSecond since the previous moment; empty right after a start or a recovery
 * @param diskBytes local files of the state backend, if it has any
 * @param memoryName what kind of memory the next is
 * @param memoryBytes what the state backend holds in memory, if it tells
 */
record Progress(
        long events,
        OptionalLong eventsPerSecond,
        OptionalLong diskBytes,
        String memoryName,
        OptionalLong memoryBytes,
        CheckpointSummary checkpoints) {}
