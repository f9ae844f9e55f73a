package io.drey.flink.state.memory;

import io.drey.store.schedule.Background;
import io.drey.store.schedule.ThreadBackground;
import java.util.HashMap;
import java.util.Map;

/**
 * A backend's lease of the process's background threads. All backends with the same number of threads, which is all of
 * them unless jobs are configured differently, share one pool; it ends with the last lease. Of one that has failed, as
 * the process had no memory for once, no further lease is taken: whoever restarts gets another one.
 */
final class BackgroundLease implements Surroundings.Lease {
    private static final Map<Integer, Pool> POOLS = new HashMap<>();

    private final int threads;
    private final Pool pool;
    private boolean closed;

    private BackgroundLease(int threads, Pool pool) {
        this.threads = threads;
        this.pool = pool;
    }

    /** Takes a lease of a pool of so many threads, 0 for the default number. */
    public static BackgroundLease acquire(int threads) {
        synchronized (POOLS) {
            Pool pool = POOLS.compute(
                    threads,
                    (number, known) -> known == null || known.background.hasEnded() ? new Pool(number) : known);
            pool.leases++;
            return new BackgroundLease(threads, pool);
        }
    }

    @Override
    public Background background() {
        return pool.background;
    }

    @Override
    public void close() {
        synchronized (POOLS) {
            if (closed) {
                return;
            }
            closed = true;
            if (--pool.leases == 0) {
                POOLS.remove(threads, pool);
                pool.background.close();
            }
        }
    }

    private static final class Pool {
        private final ThreadBackground background;
        private int leases;

        Pool(int threads) {
            background = threads == 0 ? new ThreadBackground() : new ThreadBackground(threads);
        }
    }
}
