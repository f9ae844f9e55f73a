package io.drey.store.value;

import io.drey.foundation.DreyException;
import io.drey.foundation.Scratch;
import io.drey.store.entry.DelegatingCursor;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import java.io.IOException;

/**
 * The entries of another cursor on their way into a run, after some of their values went into value logs, and others
 * were compressed by themselves.
 */
public final class SeparatingCursor extends DelegatingCursor {
    /** Says which values go, and has them. */
    public interface Rule {
        /** Whether the whole value of an entry goes into a log. */
        boolean separates(EntryCursor entry);

        /** Brings the value of an entry that goes; the accessors tell about it. */
        void fetch(EntryCursor entry);

        long valueAddress();

        int valueLength();
    }

    private final Rule rule;
    private final ValueLogSet logs;
    private final Scratch pointer;
    private final ValueCompressor compressor;
    private byte kind;
    private long valueAddress;
    private int valueLength;

    /**
     * Takes over the entries only.
     *
     * @param pointer where the current pointer is kept
     * @param compressor of values that are not separated, or null
     */
    public SeparatingCursor(
            EntryCursor entries, Rule rule, ValueLogSet logs, Scratch pointer, ValueCompressor compressor) {
        super(entries);
        this.rule = rule;
        this.logs = logs;
        this.pointer = pointer;
        this.compressor = compressor;
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
        kind = entries.kind();
        if (rule.separates(entries)) {
            rule.fetch(entries);
            separate();
            return;
        }
        valueAddress = entries.valueAddress();
        valueLength = entries.valueLength();
        if (compressor != null
                && kind == EntryKind.VALUE
                && compressor.compresses(entries.table(), valueAddress, valueLength)) {
            kind = EntryKind.COMPRESSED;
            valueAddress = compressor.address();
            valueLength = compressor.length();
        }
    }

    private void separate() {
        try {
            logs.add(entries.table(), rule.valueAddress(), rule.valueLength(), pointer.reserve(ValuePointer.BYTES));
        } catch (IOException e) {
            throw new DreyException(
                    "cannot write a value of " + rule.valueLength() + " bytes into a value log: " + e.getMessage(), e);
        }
        kind = EntryKind.POINTER;
        valueAddress = pointer.address();
        valueLength = ValuePointer.BYTES;
    }

    @Override
    public byte kind() {
        return kind;
    }

    @Override
    public long valueAddress() {
        return valueAddress;
    }

    @Override
    public int valueLength() {
        return valueLength;
    }
}
