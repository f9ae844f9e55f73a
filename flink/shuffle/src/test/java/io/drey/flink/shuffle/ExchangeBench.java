package io.drey.flink.shuffle;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.functions.MapFunction;

/** Runs one exchange with Netty and with a worker in turns, and prints seconds and CPU seconds of each. */
final class ExchangeBench {
    private ExchangeBench() {}

    /** Records of so many bytes that follow from a number. */
    private static final class Filler implements MapFunction<Long, byte[]> {
        private static final long serialVersionUID = 1L;
        private final int size;
        private final boolean isRandom;

        private Filler(int size, boolean isRandom) {
            this.size = size;
            this.isRandom = isRandom;
        }

        @Override
        public byte[] map(Long number) {
            byte[] bytes = new byte[size];
            if (isRandom) {
                SplittableRandom random = new SplittableRandom(number);
                random.nextBytes(bytes);
            } else {
                Arrays.fill(bytes, (byte) (long) number);
            }
            return bytes;
        }
    }

    public static void main(String[] args) throws Exception {
        int megabytes = Integer.parseInt(args[0]);
        int runs = Integer.parseInt(args[1]);
        boolean isRandom = Boolean.parseBoolean(args[2]);
        Path directory = Path.of(args[3]);
        long records = megabytes * 4096L;
        var os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<double[]> netty = new ArrayList<>();
        List<double[]> drey = new ArrayList<>();
        try (TestWorkers workers = new TestWorkers(directory)) {
            for (int i = 0; i <= runs; i++) {
                for (boolean isDrey : new boolean[] {false, true}) {
                    Map<String, String> more = Map.of(
                            "shuffle-service-factory.class",
                            isDrey
                                    ? DreyShuffleServiceFactory.class.getName()
                                    : "org.apache.flink.runtime.io.network.NettyShuffleServiceFactory",
                            "taskmanager.network.sort-shuffle.min-buffers",
                            "512");
                    try (TestCluster cluster = new TestCluster(workers.registry(), 2, more)) {
                        var graph = TestCluster.batch(
                                2,
                                environment -> environment
                                        .fromSequence(1, records)
                                        .map(new Filler(252, isRandom))
                                        .rebalance()
                                        .map(bytes -> bytes)
                                        .sinkTo(Totals.sink()));
                        long cpu = os.getProcessCpuTime();
                        long start = System.nanoTime();
                        JobExecutionResult result = cluster.run(graph);
                        double seconds = (System.nanoTime() - start) / 1e9;
                        double cpuSeconds = (os.getProcessCpuTime() - cpu) / 1e9;
                        System.out.printf(
                                Locale.ROOT,
                                "%s run %d: %.2f s, CPU %.2f s, net %d ms%n",
                                isDrey ? "drey " : "netty",
                                i,
                                seconds,
                                cpuSeconds,
                                result.getNetRuntime());
                        if (i > 0) {
                            (isDrey ? drey : netty).add(new double[] {seconds, cpuSeconds});
                        }
                    }
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "medians: netty %.2f s CPU %.2f, drey %.2f s CPU %.2f%n",
                median(netty, 0),
                median(netty, 1),
                median(drey, 0),
                median(drey, 1));
        System.exit(0);
    }

    private static double median(List<double[]> values, int at) {
        double[] sorted = values.stream().mapToDouble(each -> each[at]).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
