package io.drey.shuffle.worker.server;

import io.drey.foundation.CorruptFileException;
import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Fault.Reason;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.PartitionManifest;
import io.drey.shuffle.worker.catalog.StorageDirectory;
import io.drey.shuffle.worker.catalog.StoredPartition.Content;
import io.drey.shuffle.worker.catalog.StoredPartition.Place;
import io.drey.shuffle.worker.device.DeviceLoop;
import io.drey.shuffle.worker.device.ReadSource;
import io.drey.shuffle.worker.device.ReadSpan;
import io.drey.shuffle.worker.disk.IoFailure;
import io.drey.shuffle.worker.file.RegionTable;
import io.drey.shuffle.worker.server.ReadAhead.Piece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A channel of a reader: goes through its stretches of the partition's files in order, a little further than the client
 * has credit. What has no other thread in its comment is in the one of the partition's device.
 */
final class ReadChannel extends ReadSource {
    /** Most bytes that one channel asks for at once. */
    private static final int WANTED_BYTES_MAX = 1 << 20;

    private final WorkerConnection connection;
    private final Fetching.Channel request;
    private final Content content;
    private final ReadAhead ahead;
    private final List<Stretch> stretches = new ArrayList<>();
    private boolean opened;
    private int nextRegion;
    private long blocks;
    private long digest;
    private int stretch;
    private long at;
    private int block;
    /** All that will be sent is here. */
    private volatile boolean isRead;

    private volatile boolean ended;

    /**
     * Bytes of a file that are one after another.
     *
     * @param firstBlock number of its first block among the channel's of the region
     * @param largest bytes of the region's largest block
     */
    private record Stretch(
            Place place,
            int region,
            boolean isBroadcast,
            int firstBlock,
            int blocks,
            long offset,
            long length,
            int largest) {
        long end() {
            return offset + length;
        }
    }

    ReadChannel(WorkerConnection connection, Fetching.Channel request, Content content) {
        this.connection = connection;
        this.request = request;
        this.content = content;
        this.ahead = new ReadAhead(connection, request.channel(), request.credit());
    }

    int stream() {
        return request.channel();
    }

    /** The connection's thread: the client can take so many more blocks; whether that makes sense. */
    boolean addCredit(int more) {
        return ahead.addCredit(more);
    }

    /** The connection's thread: whether the device should look at it. */
    boolean wantsMore() {
        return !isRead && ahead.wanted(1) > 0;
    }

    /** Tells the devices of readers, each once, to look at them; takes them out of the list. */
    static void submit(List<ReadChannel> readers) {
        while (!readers.isEmpty()) {
            DeviceLoop loop = readers.get(0).loop();
            List<ReadChannel> same = new ArrayList<>(readers);
            same.removeIf(each -> each.loop() != loop);
            loop.submitAll(same);
            readers.removeIf(each -> each.loop() == loop);
        }
    }

    private DeviceLoop loop() {
        return content.directory().loop();
    }

    /** Why its directory cannot be waited for; null if it can. */
    Fault hanging() {
        StorageDirectory directory = content.directory();
        return directory.isHanging()
                ? new Fault(Reason.LOST, "expected to read " + request.key() + ", found " + directory.hanging())
                : null;
    }

    /** The client wants no more. */
    void cancel() {
        ended = true;
        ahead.close();
    }

    @Override
    protected boolean prepare(DeviceLoop loop) throws IOException {
        if (ended) {
            return false;
        }
        if (!opened) {
            opened = true;
            open(loop);
        }
        if (stretch == stretches.size()) {
            if (!isRead) {
                isRead = true;
                ahead.end(this::end);
            }
            return false;
        }
        Stretch now = stretches.get(stretch);
        long most = Math.min(WANTED_BYTES_MAX, ahead.wanted(now.largest()));
        if (most == 0) {
            return false;
        }
        long left = now.end() - at;
        int wanted = (int) Math.min(left, Math.max(most, now.largest()));
        want(now.place().part(), at, wanted, (int) Math.min(left, now.largest()));
        return true;
    }

    @Override
    protected boolean admit() {
        return !ended && connection.mayRead(this);
    }

    /** Goes through the tables of all regions that are here, up to the first that is not. */
    private void open(DeviceLoop loop) throws IOException {
        PartitionManifest manifest = content.manifest();
        int region = request.region();
        long skipped = 0;
        for (Place place = content.place(region); place != null; place = content.place(++region)) {
            RegionTable table = loop.table(place.part(), place.index(), region);
            int before = region == request.region() ? request.block() : 0;
            skipped += addStretches(place, region, table, before);
        }
        nextRegion = region;
        enter();
        List<UUID> workers = manifest.workers().size() > 1 ? manifest.workers() : List.of();
        int[] holders = workers.isEmpty() ? new int[0] : manifest.holders();
        connection.sendLater(
                FrameType.READ_OPENED,
                manifest.attributes(),
                stream(),
                manifest.regions(),
                blocks - skipped,
                new Fetching.Holders(workers, holders));
    }

    /** Adds the stretches of a region; returns how many blocks of it the client has. */
    private int addStretches(Place place, int region, RegionTable table, int have) {
        int number = 0;
        int first = 0;
        long offset = 0;
        long length = 0;
        for (int i = 0; i < table.entries(); i++) {
            if (!isMine(table.isBroadcast(), table.subpartition(i))) {
                continue;
            }
            if (length > 0 && table.offset(i) != offset + length) {
                addStretch(place, region, table, first, number, offset, length, have);
                first = number;
                length = 0;
            }
            offset = length == 0 ? table.offset(i) : offset;
            length += table.length(i);
            number += table.blocks(i);
            digest += table.digest(i);
        }
        if (length > 0) {
            addStretch(place, region, table, first, number, offset, length, have);
        }
        blocks += number;
        return Math.min(number, have);
    }

    private boolean isMine(boolean isBroadcast, int subpartition) {
        return isBroadcast || (subpartition >= request.from() && subpartition <= request.to());
    }

    /** Adds blocks from {@code first} up to {@code end}, unless the client has them all. */
    private void addStretch(
            Place place, int region, RegionTable table, int first, int end, long offset, long length, int have) {
        if (end > have) {
            stretches.add(new Stretch(
                    place, region, table.isBroadcast(), first, end - first, offset, length, table.largest()));
        }
    }

    private void enter() {
        if (stretch < stretches.size()) {
            at = stretches.get(stretch).offset();
            block = stretches.get(stretch).firstBlock();
        }
    }

    private void end() {
        ended = true;
        boolean complete = nextRegion >= content.manifest().regions();
        connection.endLater(
                this,
                FrameType.READ_END,
                complete ? FrameType.COMPLETE : 0,
                nextRegion,
                digest,
                new Fetching.ReadEnd(blocks));
    }

    @Override
    protected void deliver(ReadSpan span) {
        if (ended) {
            return;
        }
        Stretch now = stretches.get(stretch);
        int have = now.region() == request.region() ? request.block() : 0;
        // No more than it may ask for, though others' ranges came with it: a frame has room for that.
        long end = Math.min(Math.min(span.end(), now.end()), at + Math.max(WANTED_BYTES_MAX, now.largest()));
        long begin = at;
        long runAt = at;
        int first = block;
        // What a client cannot read ends its connection, and with it all its other channels.
        int from = now.isBroadcast() ? 0 : request.from();
        int to = now.isBroadcast() ? content.manifest().subpartitions() - 1 : request.to();
        while (at + BlockFormat.HEADER_BYTES <= end) {
            int length = span.getInt(at + BlockFormat.LENGTH_AT);
            if (length < 0 || length > now.largest() - BlockFormat.HEADER_BYTES) {
                throw damaged(now, "a block of at most " + now.largest() + " bytes", length + "");
            }
            int subpartition = span.getInt(at + BlockFormat.SUBPARTITION_AT);
            if (subpartition < from || subpartition > to) {
                throw damaged(now, "a block of subpartition " + from + " to " + to, subpartition + "");
            }
            long next = at + BlockFormat.HEADER_BYTES + length;
            if (next > end) {
                break;
            }
            at = next;
            if (block++ < have) {
                runAt = at;
                first = block;
            }
        }
        if (at == begin) {
            throw damaged(now, "a block that ends by byte " + now.end(), "none");
        }
        if (block > first) {
            send(new Piece(now.region(), first, block - first, span.range(runAt, (int) (at - runAt))));
        }
        if (at == now.end()) {
            stretch++;
            enter();
        }
    }

    private void send(Piece piece) {
        Piece rest = ahead.add(piece);
        if (rest != null) {
            at -= rest.range().bytes();
            block -= rest.blocks();
            rest.range().release();
        }
    }

    private CorruptFileException damaged(Stretch now, String expected, String found) {
        return new CorruptFileException(now.place().part().toString(), at, expected, found);
    }

    @Override
    protected void failed(Throwable cause) {
        if (!ended) {
            ended = true;
            ahead.close();
            // What the process lacks, memory say, is no fault of the data: it can be read later.
            Reason reason = IoFailure.of(cause) == IoFailure.PROCESS ? Reason.BUSY : Reason.LOST;
            if (reason == Reason.LOST && !content.isReleased()) {
                content.directory().readFailed(request.key(), cause);
            }
            Fault fault = new Fault(reason, "expected to read " + request.key() + ", found: " + cause.getMessage());
            connection.endLater(this, FrameType.READ_REFUSED, 0, 0, 0, fault);
        }
    }
}
