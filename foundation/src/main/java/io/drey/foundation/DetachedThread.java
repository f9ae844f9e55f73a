package io.drey.foundation;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Makes daemon threads that inherit nothing from the caller's, which may be a task of a job: neither its class loader
 * nor its thread locals, nor, therefore privileged, the access rights of the classes on its stack. Each of them would
 * keep that job's classes for as long as the thread lives.
 */
public final class DetachedThread {
    private DetachedThread() {}

    /** A thread that is not started. */
    @SuppressWarnings("removal")
    public static Thread of(String name, Runnable work) {
        Thread thread =
                AccessController.doPrivileged((PrivilegedAction<Thread>) () -> new Thread(null, work, name, 0, false));
        thread.setContextClassLoader(DetachedThread.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }
}
