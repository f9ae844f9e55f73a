package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import io.drey.shuffle.protocol.frame.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The manifest of a complete partition: which worker holds each of its regions, which are numbered from 0, and how many
 * bytes each subpartition has. A writer sends it to all holders; that is the commit, and it never changes.
 */
public final class PartitionManifest implements Body {
    public static final int REGIONS_MAX = 1 << 16;
    public static final int HOLDERS_MAX = 256;
    public static final int ATTRIBUTES_MAX = 255;

    private final List<UUID> workers;
    private final int[] holders;
    private final long[] subpartitionBytes;
    private final int attributes;

    /**
     * @param workers the ids of all holders
     * @param holders per region, the index of its holder
     * @param subpartitionBytes per subpartition, as the producer counts them; its length is the number of subpartitions
     * @param attributes what the producer tells all readers, 0 to 255
     */
    public PartitionManifest(List<UUID> workers, int[] holders, long[] subpartitionBytes, int attributes) {
        if (workers.size() > HOLDERS_MAX
                || holders.length > REGIONS_MAX
                || subpartitionBytes.length == 0
                || subpartitionBytes.length > BlockFormat.SUBPARTITIONS_MAX) {
            throw new ProtocolException("expected a manifest of at most " + HOLDERS_MAX + " workers, " + REGIONS_MAX
                    + " regions and 1 to " + BlockFormat.SUBPARTITIONS_MAX + " subpartitions, found " + workers.size()
                    + ", " + holders.length + " and " + subpartitionBytes.length);
        }
        for (int holder : holders) {
            if (holder < 0 || holder >= workers.size()) {
                throw new ProtocolException(
                        "expected a holder among " + workers.size() + " workers of a manifest, found " + holder);
            }
        }
        if (attributes < 0 || attributes > ATTRIBUTES_MAX) {
            throw new ProtocolException(
                    "expected attributes of 0 to " + ATTRIBUTES_MAX + " in a manifest, found " + attributes);
        }
        this.attributes = attributes;
        this.workers = List.copyOf(workers);
        this.holders = holders.clone();
        this.subpartitionBytes = subpartitionBytes.clone();
    }

    public List<UUID> workers() {
        return workers;
    }

    public int regions() {
        return holders.length;
    }

    public UUID holder(int region) {
        return workers.get(holders[region]);
    }

    /** The holder of each region, by its place among {@link #workers}: shared, and not to be changed. */
    public int[] holders() {
        return holders;
    }

    public int subpartitions() {
        return subpartitionBytes.length;
    }

    public long subpartitionBytes(int subpartition) {
        return subpartitionBytes[subpartition];
    }

    /** What the producer tells all readers; only clients know what it means. */
    public int attributes() {
        return attributes;
    }

    /** Of all subpartitions. */
    public long bytes() {
        long sum = 0;
        for (long each : subpartitionBytes) {
            sum += each;
        }
        return sum;
    }

    @Override
    public void write(FieldWriter out) {
        workers.forEach(each -> out.id(1, each));
        out.numbers(2, Arrays.stream(holders).asLongStream().toArray()).numbers(3, subpartitionBytes);
        out.number(4, attributes);
    }

    public static PartitionManifest read(FieldReader in) {
        List<UUID> workers = new ArrayList<>();
        long[] holders = {};
        long[] bytes = {};
        int attributes = 0;
        for (int tag = in.next(); tag >= 0; tag = in.next()) {
            switch (tag) {
                case 1 -> {
                    if (workers.size() == HOLDERS_MAX) {
                        throw in.wrong("at most " + HOLDERS_MAX + " workers", "more");
                    }
                    workers.add(in.id());
                }
                case 2 -> holders = in.numbers(REGIONS_MAX);
                case 3 -> bytes = in.numbers(BlockFormat.SUBPARTITIONS_MAX);
                case 4 -> attributes = in.number(0, ATTRIBUTES_MAX);
                default -> {}
            }
        }
        int[] indexes = new int[holders.length];
        for (int i = 0; i < holders.length; i++) {
            indexes[i] = (int) Math.min(Math.max(-1, holders[i]), HOLDERS_MAX);
        }
        return new PartitionManifest(workers, indexes, bytes, attributes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionManifest that
                && that.attributes == attributes
                && that.workers.equals(workers)
                && Arrays.equals(that.holders, holders)
                && Arrays.equals(that.subpartitionBytes, subpartitionBytes);
    }

    @Override
    public int hashCode() {
        return workers.hashCode()
                + attributes
                + 31 * Arrays.hashCode(holders)
                + 961 * Arrays.hashCode(subpartitionBytes);
    }

    @Override
    public String toString() {
        return regions() + " regions at " + workers + ", " + subpartitions() + " subpartitions, " + bytes() + " bytes";
    }
}
