package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import java.util.UUID;

/**
 * A worker about itself: its heartbeat, and the answer to STATUS.
 *
 * @param id of the worker, kept in its directories
 * @param incarnation of its storage
 * @param host where clients reach it
 * @param httpPort of its metrics and health, 0 without
 * @param software the version of Drey
 * @param load its figures
 */
public record WorkerReport(
        UUID id, UUID incarnation, String host, int port, int httpPort, String software, State state, Load load)
        implements Body {
    private static final int TEXT_BYTES_MAX = 256;
    private static final int PORT_MAX = 0xffff;

    /** Its state: what it accepts. */
    public enum State {
        RUNNING,
        /** No new writers, and soon no connection. */
        DRAINING,
        /** No new writers, because no disk takes them. */
        READ_ONLY
    }

    /**
     * Figures of a worker; bytes, and numbers of things open.
     *
     * @param freeBytes space left for partitions on all its disks
     * @param totalBytes their size
     * @param dataBytes its files
     * @param poolBytes memory for data under way
     * @param poolUsedBytes of it in use
     * @param partitions that are committed
     */
    public record Load(
            long freeBytes,
            long totalBytes,
            long dataBytes,
            long poolBytes,
            long poolUsedBytes,
            int writers,
            int readers,
            long partitions)
            implements Body {
        @Override
        public void write(FieldWriter out) {
            out.number(1, freeBytes).number(2, totalBytes).number(3, dataBytes);
            out.number(4, poolBytes).number(5, poolUsedBytes);
            out.number(6, writers).number(7, readers).number(8, partitions);
        }

        static Load read(FieldReader in) {
            long[] bytes = new long[6];
            int[] counts = new int[2];
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1, 2, 3, 4, 5 -> bytes[tag - 1] = in.size();
                    case 6, 7 -> counts[tag - 6] = in.number(0, Integer.MAX_VALUE);
                    case 8 -> bytes[5] = in.size();
                    default -> {}
                }
            }
            return new Load(bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], counts[0], counts[1], bytes[5]);
        }
    }

    @Override
    public void write(FieldWriter out) {
        out.id(1, id).id(2, incarnation).text(3, host).number(4, port).number(5, httpPort);
        out.text(6, software).number(7, state.ordinal()).nested(8, load);
    }

    public static WorkerReport read(FieldReader in) {
        UUID id = null;
        UUID incarnation = null;
        String host = null;
        int port = 0;
        int httpPort = 0;
        String software = "";
        State state = State.RUNNING;
        Load load = null;
        for (int tag = in.next(); tag >= 0; tag = in.next()) {
            switch (tag) {
                case 1 -> id = in.id();
                case 2 -> incarnation = in.id();
                case 3 -> host = in.text(TEXT_BYTES_MAX);
                case 4 -> port = in.number(1, PORT_MAX);
                case 5 -> httpPort = in.number(0, PORT_MAX);
                case 6 -> software = in.text(TEXT_BYTES_MAX);
                case 7 -> state = State.values()[in.number(0, State.values().length - 1)];
                case 8 -> load = Load.read(in.nested());
                default -> {}
            }
        }
        return new WorkerReport(
                in.required(id, "id"),
                in.required(incarnation, "incarnation"),
                in.required(host, "host"),
                port,
                httpPort,
                software,
                state,
                in.required(load, "load"));
    }
}
