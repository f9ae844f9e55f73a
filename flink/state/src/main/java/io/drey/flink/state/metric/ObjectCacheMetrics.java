package io.drey.flink.state.metric;

import io.drey.keyed.cache.ObjectCache;

/**
 * The metrics of a backend's object cache, which its task's thread counts in plain fields, as {@link StateCounters}
 * does.
 */
public final class ObjectCacheMetrics {
    private final ObjectCache objects;

    public ObjectCacheMetrics(ObjectCache objects) {
        this.objects = objects;
    }

    public void register(MetricSink drey) {
        drey.gauge("objectCacheEntries", objects::used);
        drey.gauge("objectCacheEntriesDirty", objects::dirty);
        drey.gauge("objectCacheBytes", objects::bytes);
        drey.counter("objectCacheHits", objects::hits);
        drey.counter("objectCacheMisses", objects::misses);
        drey.ratio("objectCacheHitRatio", new RecentRatio(objects::hits, objects::misses)::getValue);
        drey.counter("objectCacheEvictions", objects::evictions);
        drey.counter("objectCacheWriteBacks", objects::writeBacks);
        drey.counter("objectCacheVanished", objects::vanished);
        drey.counter("objectCacheBypasses", objects::bypasses);
        drey.gauge("objectCacheStatesBypassed", objects::tablesBypassed);
    }
}
