package io.drey.cli.inspect.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.drey.cli.inspect.JobClasses;
import io.drey.cli.inspect.file.InspectedPath;
import io.drey.cli.inspect.snapshot.SnapshotReader;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLClassLoader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves the page and its data on the loopback address, to GET only, and only under a name of that address: pages of
 * other sites cannot ask it. The page has no part from elsewhere.
 */
public final class PageServer implements AutoCloseable {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final Set<String> NAMES = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final String HTML = "text/html; charset=utf-8";
    private static final String JSON = "application/json";

    /** A search may take long; all else is answered meanwhile. */
    private static final int THREADS = 4;

    private final URLClassLoader classes;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, PageServer::daemon);
    private final HttpServer server;
    private final PageData data;
    private final byte[] page;

    /** Starts; port 0 takes any. The scan of the entries goes on in the background. */
    public PageServer(Path path, String classPath, int port) throws IOException {
        classes = JobClasses.of(classPath);
        InspectedPath found = InspectedPath.of(path);
        if (found.form() != InspectedPath.Form.SNAPSHOT) {
            throw new IOException("The web page is for checkpoints and savepoints, and " + path + " is neither.");
        }
        data = data(found.path());
        try (InputStream in = PageServer.class.getResourceAsStream("page.html")) {
            page = in.readAllBytes();
        }
        server = server(port);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
        Thread scan = new Thread(data::scan, "drey-scan");
        scan.setDaemon(true);
        scan.start();
    }

    private static HttpServer server(int port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (BindException e) {
            throw new IOException("Port " + port + " cannot be used: " + e.getMessage() + ". Give another one.", e);
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "drey-page");
        thread.setDaemon(true);
        return thread;
    }

    private PageData data(Path path) throws IOException {
        try {
            return new PageData(path, classes);
        } catch (IOException | DreyException e) {
            throw SnapshotReader.failure(path, e);
        }
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            boolean isOurs = host != null && NAMES.contains(host.replaceFirst(":\\d+$", ""));
            if (!isOurs || !exchange.getRequestMethod().equals("GET")) {
                send(exchange, FORBIDDEN, HTML, "only for this machine".getBytes(StandardCharsets.UTF_8));
                return;
            }
            switch (exchange.getRequestURI().getPath()) {
                case "/" -> send(exchange, OK, HTML, page);
                case "/overview" -> json(exchange, data.overview());
                case "/scan" ->
                    json(exchange, data.scanned(query(exchange.getRequestURI()).get("operator")));
                case "/rows" -> rows(exchange);
                default -> send(exchange, NOT_FOUND, HTML, "no such page".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private void rows(HttpExchange exchange) throws IOException {
        Map<String, String> query = query(exchange.getRequestURI());
        try {
            json(exchange, data.rows(query.get("operator"), query.get("state"), query.get("key")));
        } catch (IOException | RuntimeException e) {
            String text = String.valueOf(data.failure(e).getMessage());
            send(exchange, BAD_REQUEST, HTML, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        if (uri.getRawQuery() != null) {
            for (String part : uri.getRawQuery().split("&")) {
                String[] pair = part.split("=", 2);
                query.put(pair[0], pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private static void json(HttpExchange exchange, String json) throws IOException {
        send(exchange, OK, JSON, json.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders()
                .set(
                        "Content-Security-Policy",
                        "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline';"
                                + " script-src 'unsafe-inline'");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() throws IOException {
        data.stop();
        server.stop(0);
        threads.shutdownNow();
        classes.close();
    }
}
