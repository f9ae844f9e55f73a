/** The files of partitions: regions, their tables, the journal of commits, and what of them a restart finds again. */
package io.drey.shuffle.worker.file;
