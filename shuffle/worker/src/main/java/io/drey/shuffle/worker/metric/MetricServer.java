package io.drey.shuffle.worker.metric;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Answers {@code /metrics}, and {@code /health} by 200 or 503 and a word. Nothing can be changed by it. */
public final class MetricServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    /** Who is slow keeps one of them, and not for ever. */
    private static final int THREADS = 4;

    private static final String REQUEST_SECONDS_MAX = "10";

    static {
        // Without it the JDK's server waits for the end of a request as long as the client stays.
        if (System.getProperty("sun.net.httpserver.maxReqTime") == null) {
            System.setProperty("sun.net.httpserver.maxReqTime", REQUEST_SECONDS_MAX);
        }
    }

    private final HttpServer server;
    private final ExecutorService threads;

    /** @param health "ok", or why the worker takes nothing new */
    public MetricServer(InetSocketAddress address, Supplier<List<Metric>> metrics, Supplier<String> health)
            throws IOException {
        this.server = listening(address);
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread made = new Thread(task, "drey-shuffle-http");
            made.setDaemon(true);
            return made;
        });
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, NOT_FOUND, "there is /metrics and /health\n"));
        server.createContext("/metrics", exchange -> answer(exchange, OK, MetricText.of(metrics.get())));
        server.createContext("/health", exchange -> {
            String word = health.get();
            answer(exchange, word.equals("ok") ? OK : UNAVAILABLE, word + "\n");
        });
        server.start();
    }

    private static HttpServer listening(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException(
                    "expected to serve metrics at " + address + ", found: " + e.getMessage()
                            + "; choose another http.port",
                    e);
        }
    }

    private static void answer(HttpExchange exchange, int code, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(code, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
