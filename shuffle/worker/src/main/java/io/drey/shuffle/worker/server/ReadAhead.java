package io.drey.shuffle.worker.server;

import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabRange;
import java.util.ArrayDeque;

/**
 * Blocks that were read for a channel. They go out as far as the client has credit, in the thread that brings the one
 * or the other: what is here need not wait for the device. Locked once a read and once a message of credit.
 */
final class ReadAhead {
    /** So much is read beyond the credit, again when half of it is gone. */
    private static final int BYTES = 256 << 10;

    private final WorkerConnection connection;
    private final SlabPool pool;
    private final int channel;
    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private int credit;
    private long waiting;
    private int kept;
    private boolean refused;
    private boolean closed;
    private Runnable end;

    /**
     * Blocks of a region, one after another.
     *
     * @param firstBlock number of its first block among the channel's of the region
     */
    record Piece(int region, int firstBlock, int blocks, SlabRange range) {
        private int bytes(int count) {
            int at = 0;
            for (int i = 0; i < count; i++) {
                at += BlockFormat.HEADER_BYTES + range.getInt(at + BlockFormat.LENGTH_AT);
            }
            return at;
        }
    }

    ReadAhead(WorkerConnection connection, int channel, int credit) {
        this.connection = connection;
        this.pool = connection.pool();
        this.channel = channel;
        this.credit = credit;
    }

    /** The client can take so many more blocks; whether that makes sense. */
    synchronized boolean addCredit(int more) {
        credit += more;
        refused = false;
        boolean makesSense = more > 0 && credit > 0;
        send();
        keep();
        return makesSense;
    }

    /** Bytes to read now, of blocks up to a size: 0 without credit, and room for what cannot be sent yet. */
    synchronized long wanted(int largest) {
        boolean isLow = waiting <= BYTES / 2 && !refused && pool.hasRoomAhead(1 + BYTES / Slab.BYTES);
        return (long) credit * largest + (isLow ? BYTES : 0);
    }

    /** These follow; returns those that there is no memory for, to be read again when there is credit, or null. */
    synchronized Piece add(Piece piece) {
        if (closed) {
            piece.range.release();
            return null;
        }
        pieces.add(piece);
        waiting += piece.range.bytes();
        send();
        if (keep()) {
            return null;
        }
        refused = true;
        Piece rest = pieces.pollLast();
        waiting -= rest.range.bytes();
        return rest;
    }

    /** Nothing follows: the end is said after the last block. */
    synchronized void end(Runnable sayEnd) {
        end = sayEnd;
        send();
    }

    private void send() {
        while (credit > 0 && !pieces.isEmpty()) {
            Piece piece = pieces.poll();
            int count = Math.min(credit, piece.blocks);
            SlabRange sent = piece.range;
            if (count < piece.blocks) {
                sent = piece.range.take(piece.bytes(count));
                pieces.addFirst(new Piece(piece.region, piece.firstBlock + count, piece.blocks - count, piece.range));
            }
            credit -= count;
            waiting -= sent.bytes();
            connection.send(new DataRun(
                    connection,
                    channel,
                    piece.region,
                    piece.firstBlock,
                    count,
                    sent,
                    connection.outbox().hold(sent)));
        }
        if (end != null && pieces.isEmpty() && !closed) {
            end.run();
            end = null;
        }
    }

    /** Counts slabs that wait; without room for more than before, nothing is changed. */
    private boolean keep() {
        int slabs = 0;
        for (Piece each : pieces) {
            slabs += each.range.slabs();
        }
        if (!pool.keepAhead(slabs - kept)) {
            return false;
        }
        kept = slabs;
        return true;
    }

    /** Nobody wants it any more. */
    synchronized void close() {
        closed = true;
        pieces.forEach(each -> each.range.release());
        pieces.clear();
        keep();
    }
}
