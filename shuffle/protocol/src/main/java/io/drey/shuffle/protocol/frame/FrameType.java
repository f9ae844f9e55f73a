package io.drey.shuffle.protocol.frame;

/**
 * The kinds of frames. A code is never given again. "Stream" is the number of the frame's writer, channel or request:
 * it is chosen by the client, and unique on its connection among those open.
 */
public enum FrameType {
    /** Client: the first frame. Body {@code Hello}. */
    HELLO(1, Limits.GREETING),
    /** Worker: its answer. Body {@code Welcome}. */
    WELCOME(2, Limits.GREETING),
    /** Client, if the worker asked for it: body {@code Auth}. Not answered: a wrong one gets an error. */
    AUTH(3, Limits.GREETING),
    /** Either end, before it closes the connection: body {@code Fault}. */
    ERROR(4, Limits.GREETING),
    /** Worker: it drains. No open is accepted any more; regions under way may end. */
    GOAWAY(5, 0),
    /** Either end; answered by the same frame with {@link #PONG} at once. */
    PING(6, 0),
    PONG(7, 0),
    /** Answer to the request of this stream: done, no body. */
    DONE(8, 0),
    /** Answer to the request of this stream: body {@code Fault}. */
    FAILED(9, Limits.GREETING),

    /** Client: stream = writer. Body {@code Open}. */
    OPEN(16, Limits.CONTROL),
    /** Worker: value = first credit in bytes, count = part number of the file. */
    OPENED(17, 0),
    /** Worker, instead of OPENED or at any time later: the writer is at its end here. Body {@code Fault}. */
    REFUSED(18, Limits.GREETING),
    /** Client: a region begins. Count = region; flag {@link #BROADCAST}. */
    BEGIN(19, 0),
    /** Client: the next bytes of the region's blocks; a block may go on in the next frame. */
    BLOCKS(20, Limits.STREAMED, true),
    /** Client: the region is complete. Count = region, value = its blocks. */
    END(21, 0),
    /** Worker: value = further credit in bytes. */
    WRITE_CREDIT(22, 0),
    /** Worker: count = region that is written; flag {@link #SPLIT} asks to go on with another worker. */
    ACK(23, 0),
    /** Client: the writer ends here; what was acknowledged stays. */
    CLOSE_WRITE(24, 0),
    /** Client: stream = request. Body {@code Commit}. Answer DONE or FAILED. */
    COMMIT(25, Limits.CONTROL),

    /** Client: opens channels, each a stream of its own. Body {@code OpenRead}. */
    OPEN_READ(32, Limits.CONTROL),
    /**
     * Worker: stream = channel, count = regions of the partition, value = blocks to come from here, flags = attributes
     * of the manifest. Body {@code Holders}.
     */
    READ_OPENED(33, Limits.CONTROL),
    /** Worker: stream = channel; the channel is closed. Body {@code Fault}. */
    READ_REFUSED(34, Limits.GREETING),
    /** Client: stream = channel, count = further blocks it can take. */
    READ_CREDIT(35, 0),
    /** Worker: stream = channel, count = blocks that wait for credit. */
    BACKLOG(36, 0),
    /** Worker: runs of blocks, of any channels. Count = runs. */
    DATA(37, Limits.STREAMED, true),
    /** Worker: stream = channel, now closed; body {@code ReadEnd}, count = next region, value = digest. */
    READ_END(38, Limits.GREETING),
    /** Client: stream = channel; what is under way may still arrive. */
    CLOSE_READ(39, 0),

    /** Client: stream = request. Body {@code Renew}, answer LEASE or FAILED. */
    RENEW(48, Limits.CONTROL),
    LEASE(49, Limits.LISTING),
    /** Client: stream = request. Body {@code Release}, answer DONE or FAILED. */
    RELEASE(50, Limits.CONTROL),

    /** Worker to registry: stream = request. Body {@code WorkerReport}, answer HEARD. */
    HEARTBEAT(64, Limits.GREETING),
    /** Registry: flag {@link #EXCLUDED} says that an operator excluded the worker. */
    HEARD(65, 0),
    /** Client: stream = request. Body {@code ListWorkers}, answer WORKERS. */
    LIST(66, Limits.CONTROL),
    WORKERS(67, Limits.LISTING),
    /** Operator to registry: stream = request. Body {@code Exclude}, answer DONE or FAILED. */
    EXCLUDE(68, Limits.GREETING),

    /** Operator to worker: stream = request, no body; answer STATUS_IS with a {@code WorkerReport}. */
    STATUS(80, 0),
    STATUS_IS(81, Limits.GREETING),
    /** Operator to worker: stream = request; it drains and ends. Answer DONE. */
    DRAIN(82, 0),
    /** Operator to worker: stream = request. Body {@code Inspect}; answer LINES. */
    INSPECT(83, Limits.GREETING),
    /** Operator to worker: stream = request, no body: compares its files with what it knows. Answer LINES. */
    AUDIT(84, 0),
    /** Body {@code Lines}: text for operators. */
    LINES(85, Limits.LISTING);

    /**
     * Flag of BEGIN: each block, given as of subpartition 0, is for every subpartition. A channel gets it once,
     * whatever its range is; it counts once for credit, digest and block numbers.
     */
    public static final int BROADCAST = 1;

    /** Flag of ACK. */
    public static final int SPLIT = 1;

    /** Flag of READ_END: no region follows anywhere. Without it, the next region is with another worker. */
    public static final int COMPLETE = 1;

    /** Flag of HEARD. */
    public static final int EXCLUDED = 1;

    /** Most bytes of a body. */
    private static final class Limits {
        static final int GREETING = 8 << 10;
        static final int CONTROL = 1 << 20;
        static final int LISTING = 8 << 20;
        static final int STREAMED = 4 << 20;
    }

    private static final FrameType[] BY_CODE = new FrameType[256];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final int bodyBytesMax;
    private final boolean streamed;

    FrameType(int code, int bodyBytesMax) {
        this(code, bodyBytesMax, false);
    }

    FrameType(int code, int bodyBytesMax, boolean streamed) {
        this.code = code;
        this.bodyBytesMax = bodyBytesMax;
        this.streamed = streamed;
    }

    /** The kind with this code in 0..255, or null. */
    static FrameType of(int code) {
        return BY_CODE[code];
    }

    public int code() {
        return code;
    }

    public int bodyBytesMax() {
        return bodyBytesMax;
    }

    /** Whether the body is handed on in parts as it arrives. */
    public boolean isStreamed() {
        return streamed;
    }
}
