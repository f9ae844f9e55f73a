package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateInfo;
import java.io.IOException;
import java.util.List;

/** The keyed state of one subtask in a snapshot. One thread. */
public interface KeyedPart {
    /** The {@link #format} of what tasks write under Flink's changelog: those of a process share files. */
    String CHANGELOG = "a changelog";

    /** What wrote it, in which format. */
    String format();

    int keyGroupFrom();

    /** Inclusive. */
    int keyGroupTo();

    /** Bytes of all its files. */
    long bytes();

    /** The states, or those of which names are known. */
    List<StateInfo> states();

    /** What keeps types or entries from being read: a sentence; null if nothing does. */
    String problem();

    /** Its files; the sizes of its states, if they are known without reading everything. */
    PartFiles files() throws IOException;

    /** Hands all live entries within a scope to a visitor; false if that wanted no more. */
    boolean rows(RowScope scope, RowVisitor visitor) throws IOException;

    /** What reads all its files and finds those that are damaged. */
    List<FileCheck> checks() throws IOException;
}
