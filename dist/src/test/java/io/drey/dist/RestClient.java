package io.drey.dist;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/** Asks a job manager over its REST interface. */
final class RestClient {

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(ANSWER_LIMIT).build();
    private final ObjectMapper json = new ObjectMapper();
    private final int port;

    RestClient(int port) {
        this.port = port;
    }

    int port() {
        return port;
    }

    /** Whether the job manager is up. */
    boolean answers() throws InterruptedException {
        try {
            return get("/overview").isPresent();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Whether a task manager with this resource id is registered. */
    boolean knowsTaskManager(String id) throws IOException, InterruptedException {
        for (JsonNode taskManager : must("/taskmanagers").get("taskmanagers")) {
            if (taskManager.get("id").asText().equals(id)) {
                return true;
            }
        }
        return false;
    }

    /** The id of the only job, or empty if there is none yet. */
    Optional<String> onlyJob() throws IOException, InterruptedException {
        JsonNode jobs = must("/jobs").get("jobs");
        if (jobs.size() > 1) {
            throw new IllegalStateException("Expected one job, found " + jobs);
        }
        return jobs.isEmpty()
                ? Optional.empty()
                : Optional.of(jobs.get(0).get("id").asText());
    }

    /** RUNNING, RESTARTING, FINISHED, … */
    String status(String job) throws IOException, InterruptedException {
        return must("/jobs/" + job).get("state").asText();
    }

    long completedCheckpoints(String job) throws IOException, InterruptedException {
        return checkpoints(job, "completed");
    }

    /** How often the job was restored from a checkpoint. */
    long restored(String job) throws IOException, InterruptedException {
        return checkpoints(job, "restored");
    }

    /** The exceptions of a job's tasks so far, as text. */
    String exceptions(String job) throws IOException, InterruptedException {
        return must("/jobs/" + job + "/exceptions").toString();
    }

    private long checkpoints(String job, String kind) throws IOException, InterruptedException {
        // Absent while the job is being created.
        return get("/jobs/" + job + "/checkpoints")
                .map(statistics -> statistics.get("counts").get(kind).asLong())
                .orElse(0L);
    }

    private JsonNode must(String path) throws IOException, InterruptedException {
        return get(path).orElseThrow(() -> new IOException("The job manager does not know " + path));
    }

    private Optional<JsonNode> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(ANSWER_LIMIT)
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 200 ? Optional.of(json.readTree(response.body())) : Optional.empty();
    }
}
