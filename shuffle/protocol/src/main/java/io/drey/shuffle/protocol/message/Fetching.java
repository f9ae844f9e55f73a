package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The messages of readers. */
public interface Fetching {
    int CHANNELS_MAX = 4096;

    /**
     * One channel that is to be opened.
     *
     * @param channel its stream
     * @param from first subpartition
     * @param to last subpartition, inclusive
     * @param region first region: 0, or where an earlier channel was interrupted
     * @param block first block among the channel's of that region
     * @param credit blocks it can take
     */
    record Channel(PartitionKey key, int channel, int from, int to, int region, int block, int credit) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.nested(1, key).number(2, channel).number(3, from).number(4, to);
            out.number(5, region).number(6, block).number(7, credit);
        }

        static Channel read(FieldReader in) {
            PartitionKey key = null;
            int channel = 0;
            int from = 0;
            int to = 0;
            int region = 0;
            int block = 0;
            int credit = 0;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> key = PartitionKey.read(in.nested());
                    case 2 -> channel = in.number(0, Integer.MAX_VALUE);
                    case 3 -> from = in.number(0, BlockFormat.SUBPARTITIONS_MAX - 1);
                    case 4 -> to = in.number(0, BlockFormat.SUBPARTITIONS_MAX - 1);
                    case 5 -> region = in.number(0, PartitionManifest.REGIONS_MAX);
                    case 6 -> block = in.number(0, Integer.MAX_VALUE);
                    case 7 -> credit = in.number(0, Integer.MAX_VALUE);
                    default -> {}
                }
            }
            if (from > to) {
                throw in.wrong("a range of subpartitions", from + ".." + to);
            }
            return new Channel(in.required(key, "key"), channel, from, to, region, block, credit);
        }
    }

    /** OPEN_READ: any number of channels. Each is answered by its own READ_OPENED or READ_REFUSED. */
    record OpenRead(List<Channel> channels) implements Body {
        @Override
        public void write(FieldWriter out) {
            channels.forEach(each -> out.nested(1, each));
        }

        public static OpenRead read(FieldReader in) {
            List<Channel> channels = new ArrayList<>();
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                if (tag == 1) {
                    if (channels.size() == CHANNELS_MAX) {
                        throw in.wrong("at most " + CHANNELS_MAX + " channels", "more");
                    }
                    channels.add(Channel.read(in.nested()));
                }
            }
            return new OpenRead(channels);
        }
    }

    /** READ_OPENED: the holder of each region, if it is not this worker for all of them; else nothing. */
    record Holders(List<UUID> workers, int[] holders) implements Body {
        @Override
        public void write(FieldWriter out) {
            workers.forEach(each -> out.id(1, each));
            long[] wide = new long[holders.length];
            for (int i = 0; i < wide.length; i++) {
                wide[i] = holders[i];
            }
            out.numbers(2, wide);
        }

        public static Holders read(FieldReader in) {
            List<UUID> workers = new ArrayList<>();
            int[] holders = {};
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> workers.add(in.id());
                    case 2 -> holders = narrow(in.numbers(PartitionManifest.REGIONS_MAX));
                    default -> {}
                }
            }
            for (int holder : holders) {
                if (holder < 0 || holder >= workers.size()) {
                    throw in.wrong("a holder among " + workers.size() + " workers", holder + "");
                }
            }
            return new Holders(workers, holders);
        }

        private static int[] narrow(long[] wide) {
            int[] narrow = new int[wide.length];
            for (int i = 0; i < wide.length; i++) {
                narrow[i] = (int) Math.min(Math.max(-1, wide[i]), Integer.MAX_VALUE);
            }
            return narrow;
        }
    }

    /**
     * READ_END, beside its header: all blocks of the channel in the regions from the one it was opened at, that one as
     * a whole, up to the next region.
     */
    record ReadEnd(long blocks) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.number(1, blocks);
        }

        public static ReadEnd read(FieldReader in) {
            long blocks = 0;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                blocks = tag == 1 ? in.size() : blocks;
            }
            return new ReadEnd(blocks);
        }
    }
}
