package io.drey.bench.shuffle;

import io.drey.jobs.generate.Payload;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.FilterFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The jobs of a comparison of shuffle services: one exchange each, from two producers to all consumers. */
public enum ShuffleLoad {
    RANDOM("records that do not compress, to two consumers", false),
    COMPRESSIBLE("records that compress about 2:1, to two consumers", false),
    EMPTY("a stage that emits nothing: what starting and ending an exchange costs", false),
    READERS("records that do not compress, to many consumers, each of which reads little", true);

    /** Of a record, with its length. */
    public static final int RECORD_BYTES = 256;

    public static final int PRODUCERS = 2;

    private static final long BYTES = 512L << 20;
    private static final long QUICK_BYTES = 64L << 20;
    private static final int READERS_NUMBER = 1_000;
    private static final int QUICK_READERS_NUMBER = 100;

    /** Beside the load of a whole machine each of many readers gets this much less. */
    private static final int READERS_SHARE = 8;

    private final String purpose;
    private final boolean hasManyConsumers;

    ShuffleLoad(String purpose, boolean hasManyConsumers) {
        this.purpose = purpose;
        this.hasManyConsumers = hasManyConsumers;
    }

    /** On the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** In a few words. */
    String purpose() {
        return purpose;
    }

    /** Names of all. */
    public static List<String> names() {
        return Stream.of(values()).map(ShuffleLoad::text).toList();
    }

    /**
     * The load of a name.
     *
     * @throws IllegalArgumentException with a sentence if there is none
     */
    public static ShuffleLoad named(String name) {
        for (ShuffleLoad load : values()) {
            if (load.text().equals(name)) {
                return load;
            }
        }
        throw new IllegalArgumentException(
                "There is no shuffle job '" + name + "'; expected some of " + String.join(", ", names()) + ".");
    }

    /** Records that go through the exchange. */
    long records(boolean quick) {
        if (this == EMPTY) {
            return 0;
        }
        return (quick ? QUICK_BYTES : BYTES) / RECORD_BYTES / (hasManyConsumers ? READERS_SHARE : 1);
    }

    int consumers(boolean quick) {
        if (!hasManyConsumers) {
            return PRODUCERS;
        }
        return quick ? QUICK_READERS_NUMBER : READERS_NUMBER;
    }

    /** Builds the job in an environment. */
    void build(StreamExecutionEnvironment environment, boolean quick) {
        int consumers = consumers(quick);
        environment.setParallelism(PRODUCERS);
        environment
                .fromSequence(1, Math.max(PRODUCERS, records(quick)))
                .filter(new Emits(this != EMPTY))
                .map(new Filler(this == COMPRESSIBLE))
                .rebalance()
                .map(new RecordTally())
                .setParallelism(consumers)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(consumers);
    }

    /** Lets all pass, or nothing. */
    private static final class Emits implements FilterFunction<Long> {
        private static final long serialVersionUID = 1L;
        private final boolean all;

        private Emits(boolean all) {
            this.all = all;
        }

        @Override
        public boolean filter(Long number) {
            return all;
        }
    }

    /** Makes a record of a number, the same whenever it is made. Hot path: allocates the record and nothing else. */
    private static final class Filler implements MapFunction<Long, byte[]> {
        private static final long serialVersionUID = 1L;
        private static final int BYTES = RECORD_BYTES - Integer.BYTES;
        private final boolean compressible;

        private Filler(boolean compressible) {
            this.compressible = compressible;
        }

        @Override
        public byte[] map(Long number) {
            return compressible ? Payload.ofSize(number, BYTES) : Payload.incompressible(number, BYTES);
        }
    }
}
