package io.drey.store.value;

import io.drey.foundation.DreyException;
import io.drey.foundation.Scratch;
import io.drey.store.entry.DelegatingCursor;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import java.io.IOException;

/** The entries of another cursor on their way into a run, after some of their values went into value logs. */
public final class SeparatingCursor extends DelegatingCursor {
    /** Says which values go, and has them. */
    public interface Rule {
        /** Whether the whole value of an entry goes into a log; if so, the accessors tell about it. */
        boolean separates(EntryCursor entry);

        long valueAddress();

        int valueLength();
    }

    private final Rule rule;
    private final ValueLogSet logs;
    private final Scratch pointer;
    private boolean separated;

    /**
     * Takes over the entries only.
     *
     * @param pointer where the current pointer is kept
     */
    public SeparatingCursor(EntryCursor entries, Rule rule, ValueLogSet logs, Scratch pointer) {
        super(entries);
        this.rule = rule;
        this.logs = logs;
        this.pointer = pointer;
    }

    @Override
    public boolean next() {
        if (!entries.next()) {
            return false;
        }
        look();
        return true;
    }

    /** Looks at the entry that the other cursor was stepped to by somebody else. */
    public void look() {
        separated = rule.separates(entries);
        if (separated) {
            try {
                logs.add(entries.table(), rule.valueAddress(), rule.valueLength(), pointer.reserve(ValuePointer.BYTES));
            } catch (IOException e) {
                throw new DreyException(
                        "cannot write a value of " + rule.valueLength() + " bytes into a value log: " + e.getMessage(),
                        e);
            }
        }
    }

    @Override
    public byte kind() {
        return separated ? EntryKind.POINTER : entries.kind();
    }

    @Override
    public long valueAddress() {
        return separated ? pointer.address() : entries.valueAddress();
    }

    @Override
    public int valueLength() {
        return separated ? ValuePointer.BYTES : entries.valueLength();
    }
}
