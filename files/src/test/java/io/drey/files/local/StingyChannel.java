package io.drey.files.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A channel that moves few bytes per call and, after some calls, behaves as if its thread were interrupted. */
final class StingyChannel extends FileChannel {
    private final FileChannel inner;
    private final int bytesAtOnce;
    private int callsLeft;

    private StingyChannel(FileChannel inner, int bytesAtOnce, int callsUntilInterrupt) {
        this.inner = inner;
        this.bytesAtOnce = bytesAtOnce;
        this.callsLeft = callsUntilInterrupt;
    }

    static StingyChannel open(Path file, int bytesAtOnce, int callsUntilInterrupt) throws IOException {
        FileChannel inner = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        return new StingyChannel(inner, bytesAtOnce, callsUntilInterrupt);
    }

    private void step() throws IOException {
        if (!inner.isOpen()) {
            throw new ClosedChannelException();
        }
        if (callsLeft-- == 0) {
            close();
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        step();
        ByteBuffer part = ByteBuffer.allocate(Math.min(bytesAtOnce, into.remaining()));
        int count = inner.read(part, position);
        into.put(part.flip());
        return count;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        step();
        int limit = from.limit();
        from.limit(from.position() + Math.min(bytesAtOnce, from.remaining()));
        int count = inner.write(from, position);
        from.limit(limit);
        return count;
    }

    @Override
    public long size() throws IOException {
        return inner.size();
    }

    @Override
    public void force(boolean metaData) throws IOException {
        inner.force(metaData);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        inner.close();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("expected positional calls only");
    }

    @Override
    public int read(ByteBuffer into) {
        throw unused();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw unused();
    }

    @Override
    public int write(ByteBuffer from) {
        throw unused();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw unused();
    }

    @Override
    public long position() {
        throw unused();
    }

    @Override
    public FileChannel position(long position) {
        throw unused();
    }

    @Override
    public FileChannel truncate(long size) {
        throw unused();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw unused();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw unused();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw unused();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw unused();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw unused();
    }
}
