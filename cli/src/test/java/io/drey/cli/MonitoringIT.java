package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.cli.inspect.InspectedJob;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alert rules ask for metrics that Flink's Prometheus reporter has of a running job. */
class MonitoringIT {
    private static final Path MONITORING = Path.of("../dist/monitoring");
    private static final Pattern METRIC = Pattern.compile("flink_(?:taskmanager|jobmanager)_[a-zA-Z_]+");

    @TempDir
    private Path directory;

    private static Set<String> metrics(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = METRIC.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    @Test
    void everyMetricOfDashboardAndAlertsIsReported() throws Exception {
        String alerts = Files.readString(MONITORING.resolve("drey-alerts.yaml"));
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(MONITORING.resolve("drey-dashboard.json")));
        assertThat(dashboard.get("panels")).hasSizeGreaterThan(8);
        assertThat(alerts.lines().filter(line -> line.contains("- alert:"))).hasSize(8);
        Set<String> asked = metrics(alerts);
        asked.addAll(metrics(dashboard.toString()));
        assertThat(asked).hasSizeGreaterThan(12);

        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Configuration reporter = new Configuration();
        reporter.setString("metrics.reporters", "prom");
        reporter.setString(
                "metrics.reporter.prom.factory.class", "org.apache.flink.metrics.prometheus.PrometheusReporterFactory");
        reporter.setString("metrics.reporter.prom.port", port + "-" + (port + 10));
        // No worker is there, and none is needed: the metrics are.
        reporter.setString("shuffle-service-factory.class", "io.drey.flink.shuffle.DreyShuffleServiceFactory");
        try (InspectedJob job = new InspectedJob("io.drey.flink.state.DreyStateBackendFactory", directory, reporter)) {
            job.checkpoint();
            Set<String> reported = new TreeSet<>();
            // The job manager and the task manager of one process have a reporter each, on ports one after another.
            for (int each = port; each < port + 3; each++) {
                reported.addAll(reported(each));
            }
            assertThat(reported).containsAll(asked);
        }
    }

    private static Set<String> reported(int port) throws Exception {
        try {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return metrics(response.body());
        } catch (java.net.ConnectException e) {
            return Set.of();
        }
    }
}
