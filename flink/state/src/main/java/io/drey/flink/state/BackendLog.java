package io.drey.flink.state;

import io.drey.flink.state.options.DreyVersion;
import io.drey.flink.state.restore.RestoreReport;
import io.drey.flink.state.task.OnceAMinute;
import io.drey.flink.state.watch.BackendListener;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into Flink's log what happens to backends: a line when one opens, one more with the parts of a restore, and
 * what needs attention. Nothing while all is well.
 */
final class BackendLog implements BackendListener {
    private static final Logger LOG = LoggerFactory.getLogger(DreyStateBackend.class);
    private static final double NANOS = 1e9;

    /** Warns of something that many tasks of a process find at the same time. */
    static void warnOnce(String sentence) {
        OnceAMinute.warn(LOG, sentence, null);
    }

    @Override
    public void opened(Opened backend) {
        RestoreReport report = backend.report();
        LOG.info(
                "Drey {} opened the keyed state of {}, {}, in {}: {} MB of memory for its slot in pages of {} KB,"
                        + " directories {}, settings {}",
                DreyVersion.text(),
                backend.operator(),
                source(report),
                seconds(report.times().all()),
                backend.memoryBytes() >> 20,
                backend.pageBytes() >> 10,
                backend.directories(),
                backend.settings());
        if (report.source() == RestoreReport.Source.CANONICAL_SAVEPOINT) {
            LOG.info(
                    "Drey restored {} {}, {} files, {} MB: rows read and written in {}",
                    backend.operator(),
                    source(report),
                    report.files(),
                    report.bytes() >> 20,
                    seconds(report.times().all()));
        } else if (report.source() != RestoreReport.Source.NOTHING) {
            LOG.info(
                    "Drey restored {} {}, {} files, {} MB, of which {} MB are still to come: manifests read in {}, files"
                            + " fetched in {}, store opened in {}",
                    backend.operator(),
                    source(report),
                    report.files(),
                    report.bytes() >> 20,
                    report.bytesLeft() >> 20,
                    seconds(report.times().manifests()),
                    seconds(report.times().files()),
                    seconds(report.times().store()));
        }
    }

    @Override
    public void restored(String operator, long nanos) {
        LOG.info("Drey has all files of the restored {} on local disks after {}", operator, seconds(nanos));
    }

    private static String source(RestoreReport report) {
        String numbers = String.join(", ", report.checkpoints());
        return switch (report.source()) {
            case NOTHING -> "empty";
            case CHECKPOINT -> "from checkpoint " + numbers;
            case LOCAL_COPY -> "from the local copy of checkpoint " + numbers;
            case CANONICAL_SAVEPOINT -> "from a canonical savepoint";
        };
    }

    private static String seconds(long nanos) {
        return nanos < TimeUnit.SECONDS.toNanos(1)
                ? TimeUnit.NANOSECONDS.toMillis(nanos) + " ms"
                : String.format(Locale.ROOT, "%.1f s", nanos / NANOS);
    }

    @Override
    public void failed(String sentence) {
        // Flink logs it below several of its own exceptions; this line is found first.
        LOG.error("Drey {}: {}", DreyVersion.text(), sentence);
    }

    @Override
    public void warned(String sentence) {
        LOG.warn("{}", sentence);
    }
}
