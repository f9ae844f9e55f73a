package io.drey.shuffle.client;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What one attempt writes: regions of blocks, all of it from a seed. */
final class SimulatedPartition {
    private static final int DATA = 0;
    private static final int EVENT = 1;

    /** A block; its bytes follow from its seed. */
    record Block(int subpartition, int flags, int length, long seed) {
        ByteBuffer payload() {
            ByteBuffer bytes = ByteBuffer.allocate(length + Long.BYTES);
            for (long i = 0; bytes.position() < length; i++) {
                bytes.putLong(seed + i);
            }
            return bytes.position(0).limit(length);
        }

        boolean isPayload(ByteBuffer bytes) {
            return bytes.equals(payload());
        }
    }

    /** A region: its blocks in the order of the file. */
    record Part(boolean isBroadcast, List<Block> blocks) {}

    private final PartitionKey key;
    private final int subpartitions;
    private final int attributes;
    private final List<Part> parts = new ArrayList<>();

    SimulatedPartition(SplittableRandom random, PartitionKey key, int subpartitions) {
        this.key = key;
        this.subpartitions = subpartitions;
        attributes = random.nextInt(256);
        int regions = random.nextInt(5);
        // Some are longer than a piece of a worker's memory.
        int lengthMax = random.nextInt(64) == 0 ? 30_000 : 300;
        for (int i = 0; i < regions; i++) {
            parts.add(part(random, lengthMax));
        }
    }

    private Part part(SplittableRandom random, int lengthMax) {
        boolean isBroadcast = random.nextInt(6) == 0;
        List<Block> blocks = new ArrayList<>();
        int first = random.nextInt(subpartitions);
        int many = random.nextInt(1, 6);
        for (int i = 0; i < subpartitions; i++) {
            int subpartition = isBroadcast ? 0 : (first + i) % subpartitions;
            for (int left = random.nextInt(many); left > 0; left--) {
                int flags = random.nextInt(8) == 0 ? EVENT : DATA;
                blocks.add(new Block(subpartition, flags, random.nextInt(lengthMax), random.nextLong()));
            }
        }
        if (blocks.isEmpty()) {
            blocks.add(new Block(isBroadcast ? 0 : first, DATA, random.nextInt(lengthMax), random.nextLong()));
        }
        return new Part(isBroadcast, blocks);
    }

    static boolean usesCredit(int flags) {
        return flags == DATA;
    }

    PartitionKey key() {
        return key;
    }

    int subpartitions() {
        return subpartitions;
    }

    int attributes() {
        return attributes;
    }

    int regions() {
        return parts.size();
    }

    /** Payload per subpartition, or of all under the first. */
    long[] bytes() {
        long[] bytes = new long[subpartitions];
        parts.forEach(part -> part.blocks().forEach(block -> bytes[block.subpartition()] += block.length()));
        return bytes;
    }

    /** A region to be sent; whatever is sent of it when it is said to be done is no good any more. */
    Region.Builder region(int number, Runnable onDone) {
        Part part = parts.get(number);
        Region.Builder builder = new Region.Builder(part.isBroadcast());
        List<ByteBuffer> memory = new ArrayList<>();
        for (Block block : part.blocks()) {
            ByteBuffer payload = block.payload();
            memory.add(payload);
            builder.block(block.subpartition(), block.flags(), payload.duplicate());
        }
        builder.onDone(() -> {
            for (ByteBuffer each : memory) {
                for (int i = 0; i < each.limit(); i++) {
                    each.put(i, (byte) ~each.get(i));
                }
            }
            onDone.run();
        });
        return builder;
    }

    /** What a reader of these subpartitions gets, in this order. */
    List<Block> blocks(int from, int to) {
        List<Block> expected = new ArrayList<>();
        for (int region = 0; region < parts.size(); region++) {
            expected.addAll(blocks(region, from, to));
        }
        return expected;
    }

    /** And what of it is in one region. */
    List<Block> blocks(int region, int from, int to) {
        Part part = parts.get(region);
        return part.blocks().stream()
                .filter(block -> part.isBroadcast() || (block.subpartition() >= from && block.subpartition() <= to))
                .toList();
    }
}
