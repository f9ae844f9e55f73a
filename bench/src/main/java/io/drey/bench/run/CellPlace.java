package io.drey.bench.run;

import java.nio.file.Path;

/**
 * Where a cell runs and who hears of it.
 *
 * @param folder for its specification, its result and its log
 * @param disk that holds its local state
 * @param listener who hears how it goes on
 */
record CellPlace(Path folder, StateDisk disk, RunListener listener) {}
