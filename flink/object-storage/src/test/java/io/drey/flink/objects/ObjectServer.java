package io.drey.flink.objects;

import java.net.URI;
import java.util.TreeSet;
import org.apache.flink.configuration.Configuration;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.TransientApiMetadata;
import org.jclouds.blobstore.domain.PageSet;
import org.jclouds.blobstore.domain.StorageMetadata;
import org.jclouds.blobstore.options.ListContainerOptions;

/** An object store in this process that speaks S3 at a free port, with one bucket. */
final class ObjectServer {
    static final String BUCKET = "drey";

    private static final String KEY = "drey-key";
    private static final String SECRET = "drey-secret";

    private final BlobStoreContext context;
    private final BlobStore store;
    private final S3Proxy server;

    ObjectServer() throws Exception {
        context = ContextBuilder.newBuilder(new TransientApiMetadata())
                .credentials("none", "none")
                .build(BlobStoreContext.class);
        store = context.getBlobStore();
        store.createContainerInLocation(null, BUCKET);
        server = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, KEY, SECRET)
                .build();
        server.start();
    }

    /** How Flink reaches it. */
    Configuration options() {
        Configuration options = new Configuration();
        options.setString("s3.endpoint", "http://127.0.0.1:" + server.getPort());
        options.setString("s3.endpoint.region", "us-east-1");
        options.setString("s3.access-key", KEY);
        options.setString("s3.secret-key", SECRET);
        options.setString("s3.path.style.access", "true");
        options.setString("s3.entropy.key", "_entropy_");
        // The least that S3 takes, so that larger files go up in parts.
        options.setString("fs.s3a.multipart.size", "5242880");
        return options;
    }

    /** The objects whose keys contain a text; those that stand for directories are none. */
    TreeSet<String> objects(String text) {
        TreeSet<String> keys = new TreeSet<>();
        String marker = null;
        do {
            ListContainerOptions options = ListContainerOptions.Builder.recursive();
            if (marker != null) {
                options.afterMarker(marker);
            }
            PageSet<? extends StorageMetadata> page = store.list(BUCKET, options);
            for (StorageMetadata object : page) {
                String key = object.getName();
                if (key.contains(text) && !key.endsWith("/")) {
                    keys.add(key);
                }
            }
            marker = page.getNextMarker();
        } while (marker != null);
        return keys;
    }

    void put(String key, String content) {
        store.putBlob(BUCKET, store.blobBuilder(key).payload(content).build());
    }

    /** Forgets all objects: they are on the heap, and where it is full, whoever asked for something waits for ever. */
    void clear() {
        store.clearContainer(BUCKET);
    }

    void close() throws Exception {
        server.stop();
        context.close();
    }
}
