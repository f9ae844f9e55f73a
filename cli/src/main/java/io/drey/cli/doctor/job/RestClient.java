package io.drey.cli.doctor.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks Flink's REST API, only by GET. */
final class RestClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    /** Names of metrics in one address, which must not become too long. */
    private static final int NAMES_MAX = 40;

    private final HttpClient client =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    private final ObjectMapper json = new ObjectMapper();
    private final String base;

    RestClient(URI base) {
        this.base = base.toString().replaceFirst("/+$", "");
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        JsonNode found = find(path);
        if (found.isMissingNode()) {
            throw new IOException("There is nothing at " + base + path + ": is that the REST API of Flink 2?");
        }
        return found;
    }

    /** The same, with a missing node for what is not there. */
    JsonNode find(String path) throws IOException, InterruptedException {
        URI uri = URI.create(base + path);
        // Unlike a timeout of the request this one is of the whole answer.
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(HttpRequest.newBuilder(uri).GET().build(), HttpResponse.BodyHandlers.ofString());
        try {
            HttpResponse<String> response = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (response.statusCode() == NOT_FOUND) {
                return MissingNode.getInstance();
            }
            if (response.statusCode() != OK) {
                throw new IOException("Flink answered " + response.statusCode() + " to " + uri + ".");
            }
            return json.readTree(response.body());
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(
                    "The REST API at " + base + " did not answer within " + TIMEOUT.toSeconds() + " s.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ConnectException) {
                throw new IOException(
                        "No REST API of Flink answers at " + base + ": is the address of --rest right?", e);
            }
            throw isNotFlink(String.valueOf(e.getCause().getMessage()), e);
        } catch (JsonProcessingException e) {
            throw isNotFlink("no JSON", e);
        }
    }

    /** What to say of an answer that Flink would not give. */
    IOException isNotFlink(String found, Exception e) {
        return new IOException(
                "Expected the REST API of Flink at " + base + ", found something else (" + found
                        + "): is the address of --rest right, http or https too?",
                e);
    }

    /** A part of a path. */
    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The names of all metrics at a path. */
    List<String> names(String path) throws IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        for (JsonNode metric : get(path)) {
            names.add(name(metric));
        }
        return names;
    }

    private String name(JsonNode metric) throws IOException {
        if (!metric.hasNonNull("id")) {
            throw isNotFlink("a metric without a name", null);
        }
        return metric.get("id").asText();
    }

    /** The values of metrics at a path, of those that are numbers. */
    Map<String, Double> values(String path, List<String> names) throws IOException, InterruptedException {
        Map<String, Double> values = new HashMap<>();
        for (int from = 0; from < names.size(); from += NAMES_MAX) {
            List<String> some = names.subList(from, Math.min(names.size(), from + NAMES_MAX));
            String list = URLEncoder.encode(String.join(",", some), StandardCharsets.UTF_8);
            for (JsonNode metric : get(path + "?get=" + list)) {
                try {
                    values.put(name(metric), Double.valueOf(metric.path("value").asText()));
                } catch (NumberFormatException e) {
                    // A text, such as the version.
                    continue;
                }
            }
        }
        return values;
    }
}
