package io.drey.flink.state.metric;

import io.drey.keyed.cache.ObjectCache;
import java.util.function.LongSupplier;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a backend's object cache, which its task's thread counts in plain fields, as {@link StateCounters}
 * does.
 */
public final class ObjectCacheMetrics {
    private final ObjectCache objects;

    public ObjectCacheMetrics(ObjectCache objects) {
        this.objects = objects;
    }

    public void register(MetricGroup drey) {
        gauge(drey, "objectCacheEntries", objects::used);
        gauge(drey, "objectCacheEntriesDirty", objects::dirty);
        gauge(drey, "objectCacheBytes", objects::bytes);
        gauge(drey, "objectCacheHits", objects::hits);
        gauge(drey, "objectCacheMisses", objects::misses);
        drey.gauge("objectCacheHitRatio", new RecentRatio(objects::hits, objects::misses));
        gauge(drey, "objectCacheEvictions", objects::evictions);
        gauge(drey, "objectCacheWriteBacks", objects::writeBacks);
        gauge(drey, "objectCacheVanished", objects::vanished);
        gauge(drey, "objectCacheBypasses", objects::bypasses);
        gauge(drey, "objectCacheStatesBypassed", objects::tablesBypassed);
    }

    private static void gauge(MetricGroup group, String name, LongSupplier value) {
        group.<Long, Gauge<Long>>gauge(name, value::getAsLong);
    }
}
