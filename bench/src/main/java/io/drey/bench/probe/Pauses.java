package io.drey.bench.probe;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import io.drey.bench.result.CellResult;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Collects the pauses of the garbage collector as the virtual machine tells them. A thread of its own tells, another
 * one asks in the end.
 */
final class Pauses implements AutoCloseable {
    /** So many only a process that does little else than collect has. */
    static final int PAUSES_MAX = 20_000;

    private final long originMs;
    private final NotificationListener listener = (notification, handback) -> heard(notification);
    private final List<NotificationEmitter> emitters = new ArrayList<>();
    private final List<CellResult.Pause> pauses = new ArrayList<>();

    /**
     * @param originMs wall clock when the first sample begins
     */
    Pauses(long originMs) {
        this.originMs = originMs;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (pauses(bean.getName()) && bean instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
                emitters.add(emitter);
            }
        }
    }

    /** Whether the work that is told under this name stops the threads of the application. */
    static boolean pauses(String collector) {
        return !collector.contains("Concurrent") && !collector.endsWith("Cycles");
    }

    private void heard(Notification notification) {
        if (!notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        GarbageCollectionNotificationInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
        GcInfo gc = info.getGcInfo();
        // The collector's own clock began at another moment than the one that tells how long the machine has been
        // running.
        double second = (notification.getTimeStamp() - gc.getDuration() - originMs) / 1000.0;
        synchronized (pauses) {
            if (second >= 0 && pauses.size() < PAUSES_MAX) {
                pauses.add(new CellResult.Pause(second, gc.getDuration(), info.getGcName()));
            }
        }
    }

    /** Those that began since the first sample, oldest first. */
    List<CellResult.Pause> all() {
        synchronized (pauses) {
            return List.copyOf(pauses);
        }
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException("a listener that was added is not there", e);
            }
        }
        emitters.clear();
    }
}
