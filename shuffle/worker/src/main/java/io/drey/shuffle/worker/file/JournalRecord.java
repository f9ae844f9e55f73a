package io.drey.shuffle.worker.file;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.PartitionManifest;

/**
 * One record of a job's journal.
 *
 * @param session the job's newest session at this time
 * @param key of the partition that was committed or released; null if only the session is new
 * @param manifest what was committed; null at a release
 * @param places of the regions that this directory holds: region, part, offset and length of each, one after another
 */
public record JournalRecord(long session, PartitionKey key, PartitionManifest manifest, long[] places) implements Body {
    private static final int PLACE_NUMBERS = 4;
    private static final long[] NONE = {};

    public static JournalRecord committed(long session, PartitionKey key, PartitionManifest manifest, long[] places) {
        return new JournalRecord(session, key, manifest, places);
    }

    public static JournalRecord released(long session, PartitionKey key) {
        return new JournalRecord(session, key, null, NONE);
    }

    public static JournalRecord session(long session) {
        return new JournalRecord(session, null, null, NONE);
    }

    /** How many regions this directory holds. */
    public int regions() {
        return places.length / PLACE_NUMBERS;
    }

    public int region(int index) {
        return (int) places[PLACE_NUMBERS * index];
    }

    public int part(int index) {
        return (int) places[PLACE_NUMBERS * index + 1];
    }

    public long offset(int index) {
        return places[PLACE_NUMBERS * index + 2];
    }

    public long length(int index) {
        return places[PLACE_NUMBERS * index + 3];
    }

    @Override
    public void write(FieldWriter out) {
        out.number(1, session);
        if (key != null) {
            out.nested(2, key);
        }
        if (manifest != null) {
            out.nested(3, manifest).numbers(4, places);
        }
    }

    static JournalRecord read(FieldReader in) {
        long session = 0;
        PartitionKey key = null;
        PartitionManifest manifest = null;
        long[] places = NONE;
        for (int tag = in.next(); tag >= 0; tag = in.next()) {
            switch (tag) {
                case 1 -> session = in.number();
                case 2 -> key = PartitionKey.read(in.nested());
                case 3 -> manifest = PartitionManifest.read(in.nested());
                case 4 -> places = in.numbers(PLACE_NUMBERS * PartitionManifest.REGIONS_MAX);
                default -> {}
            }
        }
        if (places.length % PLACE_NUMBERS != 0) {
            throw in.wrong("four numbers a region", places.length + " in all");
        }
        return new JournalRecord(session, key, manifest, places);
    }
}
