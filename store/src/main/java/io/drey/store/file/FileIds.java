package io.drey.store.file;

/** Where files get their ids from: chance, or a seed that makes a history repeatable to the byte. Thread safe. */
public interface FileIds {
    /** Ids that no two files of any store share. */
    FileIds RANDOM = FileId::random;

    FileId next();
}
