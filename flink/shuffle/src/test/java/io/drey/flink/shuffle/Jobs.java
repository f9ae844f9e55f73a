package io.drey.flink.shuffle;

import java.util.function.Consumer;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.StreamExchangeMode;
import org.apache.flink.streaming.runtime.partitioner.RebalancePartitioner;
import org.apache.flink.util.Collector;

/** Jobs whose results are known beforehand. */
final class Jobs {
    /** Where the consumers of {@link #words} count. */
    static final String WORDS = "words";

    private Jobs() {}

    /** Text of so many letters that follows from a number. */
    static String text(long number, int length) {
        StringBuilder text = new StringBuilder(length);
        long state = number + 1;
        while (text.length() < length) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            text.append((char) ('a' + (state >>> 60)));
        }
        return text + "#" + number;
    }

    /** A few letters mostly, many at times: more than a buffer, and more than all memory of a writer. */
    static int oddLength(long number) {
        return number % 101 == 7 ? 1_500_000 : number % 53 == 3 ? 50_000 : (int) (number % 40);
    }

    /** Numbers to texts of a length. */
    static final class Texts implements MapFunction<Long, String> {
        private static final long serialVersionUID = 1L;
        private final boolean isOdd;

        Texts(boolean isOdd) {
            this.isOdd = isOdd;
        }

        @Override
        public String map(Long number) {
            return text(number, isOdd ? oddLength(number) : 20);
        }
    }

    static long sum(long count, boolean isOdd, int copies) {
        long sum = 0;
        for (long i = 1; i <= count; i++) {
            sum += Totals.hash(text(i, isOdd ? oddLength(i) : 20));
        }
        return sum * copies;
    }

    /** Emits nothing. */
    static final class Nothing implements FlatMapFunction<String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void flatMap(String value, Collector<String> out) {}
    }

    /** Fails if the numbers after '#' do not ascend: the order of a producer is kept. */
    static final class Ascending extends RichMapFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private long last;

        @Override
        public String map(String value) {
            long number = Long.parseLong(value.substring(value.indexOf('#') + 1));
            if (number <= last) {
                throw new IllegalStateException("expected a number above " + last + ", found " + number);
            }
            last = number;
            return value;
        }
    }

    /** Texts that go from all producers to all consumers twice, once by chance and once by key. */
    static Consumer<StreamExecutionEnvironment> words(long count) {
        return environment -> counted(
                environment
                        .fromSequence(1, count)
                        .map(new Texts(false))
                        .rebalance()
                        .map(text -> text)
                        .keyBy(text -> text.charAt(0))
                        .map(text -> text),
                WORDS);
    }

    /** The same stream, dealt out by an exchange of this kind. */
    static <T> DataStream<T> by(StreamExchangeMode mode, DataStream<T> stream) {
        return new DataStream<>(
                stream.getExecutionEnvironment(),
                new PartitionTransformation<>(stream.getTransformation(), new RebalancePartitioner<>(), mode));
    }

    static void counted(DataStream<String> stream, String name) {
        stream.map(new Totals<>(name)).sinkTo(Totals.sink());
    }
}
