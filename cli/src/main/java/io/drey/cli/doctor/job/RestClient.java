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
import java.util.Base64;
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
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    /** Names of metrics in one address: Flink takes lines of 4,096 bytes, and letters that are not ASCII are nine. */
    private static final int NAMES_BYTES_MAX = 3_000;

    private final HttpClient client =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    private final ObjectMapper json = new ObjectMapper();
    private final String base;

    /** The login of the address for a proxy before Flink, as a header; null if it has none. */
    private final String login;

    RestClient(URI base) {
        String user = base.getUserInfo();
        // Errors name the address, and are copied into logs and tickets.
        this.base = base.toString().replaceFirst("//[^/@]*@", "//").replaceFirst("/+$", "");
        this.login = user == null
                ? null
                : "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    }

    private static String advice(int status) {
        return switch (status) {
            case UNAUTHORIZED -> " Give a name and a password before the host, as NAME:PASSWORD@HOST.";
            case UNAVAILABLE -> " It has no leader now, as while a JobManager starts: ask again in a minute.";
            default -> "";
        };
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        JsonNode found = find(path);
        if (found.isMissingNode()) {
            throw new IOException("There is nothing at " + base + path.replaceFirst("\\?.*", "")
                    + ": is that the REST API of Flink 2, and does it still know the job?");
        }
        return found;
    }

    /** The same, with a missing node for what is not there. */
    JsonNode find(String path) throws IOException, InterruptedException {
        URI uri = URI.create(base + path);
        // Unlike a timeout of the request this one is of the whole answer.
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (login != null) {
            request.header("Authorization", login);
        }
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request.GET().build(), HttpResponse.BodyHandlers.ofString());
        try {
            HttpResponse<String> response = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            if (response.statusCode() == NOT_FOUND) {
                return MissingNode.getInstance();
            }
            if (response.statusCode() != OK) {
                throw new IOException(
                        "Flink answered " + response.statusCode() + " to " + uri + "." + advice(response.statusCode()));
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
        for (String list : lists(names)) {
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

    /** Names as parts of addresses that do not become too long. */
    private static List<String> lists(List<String> names) {
        List<String> lists = new ArrayList<>();
        StringBuilder list = new StringBuilder();
        for (String name : names) {
            String part = encoded(name);
            if (!list.isEmpty() && list.length() + part.length() > NAMES_BYTES_MAX) {
                lists.add(list.toString());
                list.setLength(0);
            }
            list.append(list.isEmpty() ? "" : ",").append(part);
        }
        if (!list.isEmpty()) {
            lists.add(list.toString());
        }
        return lists;
    }
}
