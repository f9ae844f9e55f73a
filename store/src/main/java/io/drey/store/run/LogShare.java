package io.drey.store.run;

import io.drey.store.file.FileId;

/** The bytes of a value log that the entries of a run point to. */
public record LogShare(FileId log, long bytes) {}
