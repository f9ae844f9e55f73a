package io.drey.store.run;

import io.drey.store.file.FileId;

/** How many bytes of a value log the entries of a run point to. */
public record LogShare(FileId log, long bytes) {}
