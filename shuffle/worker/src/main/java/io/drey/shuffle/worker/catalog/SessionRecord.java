package io.drey.shuffle.worker.catalog;

import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fault.Reason;
import io.drey.shuffle.protocol.message.Leasing.Renew;
import io.drey.shuffle.worker.disk.IoFailure;
import io.drey.shuffle.worker.file.JournalRecord;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new session is in a journal of the job before it is answered: else a restart would know the one before it only, and
 * let a job manager that leads no more delete what its successor was told of. One is enough, as a restart takes the
 * highest; the others get it with their next record. Where none takes it, as a disk that can only be read, one without
 * anything of the job does. If there is none, the successor is refused, and asks again. Nothing goes meanwhile: the lease
 * is renewed, and the session counts here already.
 */
final class SessionRecord {
    private static final Logger LOG = LoggerFactory.getLogger(SessionRecord.class);

    private SessionRecord() {}

    /**
     * @param isNew whether it was not heard of before
     * @param another a further directory for the job, or null
     */
    static void write(
            JobEntry job,
            List<StorageDirectory> directories,
            Renew renew,
            boolean isNew,
            Supplier<StorageDirectory> another,
            Runnable then,
            Consumer<Fault> refused) {
        List<StorageDirectory> asked =
                directories.stream().filter(each -> !each.isHanging()).toList();
        if (directories.isEmpty()) {
            then.run();
            return;
        }
        if (asked.isEmpty()) {
            StorageDirectory hanging = directories.get(0);
            refused.accept(unwritten(renew, hanging, new IOException(hanging.hanging())));
            return;
        }
        AtomicInteger left = new AtomicInteger(asked.size());
        AtomicReference<Fault> fault = new AtomicReference<>();
        List<JournalRecord> records = List.of(JournalRecord.session(renew.session()));
        for (StorageDirectory directory : asked) {
            directory.loop().execute(() -> {
                try {
                    if (!job.isGone()) {
                        directory.append(job.name(), records);
                        synchronized (job) {
                            job.recorded(renew.session());
                        }
                    }
                } catch (IOException e) {
                    fault.set(unwritten(renew, directory, e));
                    if (isNew) {
                        LOG.warn("{}", fault.get());
                    }
                }
                if (left.decrementAndGet() == 0) {
                    boolean isMissing = fault.get() != null && !isWritten(job, renew.session());
                    StorageDirectory next = isMissing ? another.get() : null;
                    if (next != null) {
                        write(job, List.of(next), renew, isNew, another, then, refused);
                    } else if (isMissing) {
                        refused.accept(fault.get());
                    } else {
                        then.run();
                    }
                }
            });
        }
    }

    private static boolean isWritten(JobEntry job, long session) {
        synchronized (job) {
            return job.recordedSession() >= session;
        }
    }

    private static Fault unwritten(Renew renew, StorageDirectory directory, IOException cause) {
        return new Fault(
                IoFailure.of(cause) == IoFailure.DISK ? Reason.FAILING : Reason.FULL,
                "expected to write session " + renew.session() + " of job " + renew.job() + " to " + directory
                        + ", found: " + cause.getMessage());
    }
}
