package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clusters whose service finds no worker, or makes no sense of its options. */
@Timeout(120)
final class FallbackIT {
    private static final int COUNT = 5_000;

    private static InetSocketAddress nowhere() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return new InetSocketAddress("127.0.0.1", socket.getLocalPort());
        }
    }

    @Test
    void exchangesStayInFlinkWithoutWorkers() throws Exception {
        try (TestCluster cluster = new TestCluster(nowhere(), 2, Map.of())) {
            JobExecutionResult result = cluster.run(TestCluster.batch(3, Jobs.words(COUNT)));
            assertThat(Totals.sum(result, Jobs.WORDS)).isEqualTo(Jobs.sum(COUNT, false, 1));
        }
    }

    @Test
    void jobsFailWithoutWorkersIfAskedTo() throws Exception {
        try (TestCluster cluster = new TestCluster(nowhere(), 1, Map.of("drey.shuffle.fallback", "fail"))) {
            assertThatThrownBy(() -> cluster.run(TestCluster.batch(2, Jobs.words(COUNT))))
                    .hasStackTraceContaining("no shuffle worker takes data")
                    .hasStackTraceContaining("drey.shuffle.fallback");
        }
    }

    @Test
    void aSecretThatIsNotThereIsRefusedWithTheReason() {
        Configuration configuration = new Configuration();
        configuration.setString("drey.shuffle.secret-file", "/nowhere/at/all");
        assertThatThrownBy(() -> ShuffleSettings.of(configuration))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("found /nowhere/at/all (java.nio.file.NoSuchFileException: /nowhere/at/all)");
    }

    @Test
    void optionsWithoutSenseAreRefused() {
        for (String[] each : new String[][] {
            {"drey.shuffle.registry", "here"},
            {"drey.shuffle.client.threads", "0"},
            {"drey.shuffle.worker-wait", "1 ms"},
            {"taskmanager.memory.segment-size", "4 mb"},
            {"drey.shuffle.secret-file", "/nowhere/at/all"}
        }) {
            Configuration configuration = new Configuration();
            configuration.setString(each[0], each[1]);
            assertThatThrownBy(() -> ShuffleSettings.of(configuration))
                    .isInstanceOf(IllegalConfigurationException.class)
                    .hasMessageContaining(each[0])
                    .hasMessageContaining("expected");
        }
    }
}
