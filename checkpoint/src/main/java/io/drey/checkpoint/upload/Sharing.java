package io.drey.checkpoint.upload;

import java.util.function.Predicate;

/**
 * The storage's say in what a checkpoint may list.
 *
 * @param unconfirmed whether it may list what no confirmed checkpoint lists: not where the storage itself deletes what
 *     an aborted checkpoint wrote
 * @param reusable which handles the storage lets it list; called under the ledger's lock
 */
public record Sharing<H>(boolean unconfirmed, Predicate<H> reusable) {}
