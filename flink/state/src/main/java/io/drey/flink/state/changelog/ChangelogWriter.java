package io.drey.flink.state.changelog;

import io.drey.flink.state.task.DeferredDispose;
import io.drey.flink.state.task.TaskThread;
import io.drey.foundation.Arena;
import io.drey.foundation.Memory;
import io.drey.foundation.Overdraft;
import io.drey.store.block.BlockCompressor;
import io.drey.store.block.BlockLayout;
import io.drey.store.block.Compression;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.changelog.SequenceNumber;
import org.apache.flink.runtime.state.changelog.StateChange;
import org.apache.flink.runtime.state.changelog.StateChangelogWriter;

/**
 * The log of one backend. Changes are compressed as they come, outside the heap; a piece of them becomes a {@link
 * ChangelogSection} when it is large enough, or when somebody asks for a sequence number, which is that of a section.
 * From then on it is {@link ChangelogUploads}' affair. The task's thread, but for closing it, which Flink
 * does in another one when it cancels the task: what the task may be using is freed after that.
 */
final class ChangelogWriter implements StateChangelogWriter<ChangelogStateHandleStreamImpl> {
    /** Changes that are compressed together. */
    static final int RAW_BYTES = 32 << 10;

    /** What it takes beside the pages of its sections: the changes of a block, and room to compress it, and a larger one. */
    private static final int OWN_BYTES = 4 * RAW_BYTES;

    private static final int VARINT_BYTES_MAX = 5;

    private final ChangelogUploads uploads;
    private final LongConsumer completed;
    private final ChangelogSections sections;
    private final Arena own;
    private final long raw;
    private final BlockCompressor compressor;
    private int filled;

    /** Of the section that grows. */
    private long number;

    /** Null if nothing was added to it. */
    private ChangelogSection growing;

    private final DeferredDispose release;
    private volatile boolean closed;

    /** @param completed is told of checkpoints that have completed */
    ChangelogWriter(ChangelogUploads uploads, KeyGroupRange keyGroups, LongConsumer completed) {
        this.uploads = uploads;
        this.completed = completed;
        this.sections = new ChangelogSections(uploads, keyGroups);
        this.own = new Arena(OWN_BYTES, ChangelogUploads.PAGE_BYTES);
        this.raw = own.takeSpan(RAW_BYTES / ChangelogUploads.PAGE_BYTES, Arena.Use.LOG);
        this.compressor = new BlockCompressor(own, new Overdraft(0), Compression.LZ4);
        this.release = new DeferredDispose(TaskThread.current(), this::releaseAll);
    }

    @Override
    public SequenceNumber initialSequenceNumber() {
        return SequenceNumber.of(0);
    }

    @Override
    public SequenceNumber nextSequenceNumber() {
        try {
            seal();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return SequenceNumber.of(number);
    }

    @Override
    public void appendMeta(byte[] value) throws IOException {
        append(StateChange.META_KEY_GROUP, value);
    }

    /** A task that ends may still change its state; nobody will ask for it. */
    @Override
    public void append(int keyGroup, byte[] value) throws IOException {
        if (closed) {
            return;
        }
        if (RAW_BYTES - filled < 2 * VARINT_BYTES_MAX) {
            compress();
        }
        putVarint(keyGroup + 1);
        putVarint(value.length);
        int done = 0;
        while (done < value.length) {
            if (filled == RAW_BYTES) {
                compress();
            }
            int part = Math.min(value.length - done, RAW_BYTES - filled);
            Memory.copy(value, done, raw + filled, part);
            filled += part;
            done += part;
        }
    }

    private void putVarint(int value) {
        filled = (int) (BlockLayout.putVarint(raw + filled, value) - raw);
    }

    /** Moves the changes of a block into the section that grows, and begins another one after a large one. */
    private void compress() throws IOException {
        if (growing == null) {
            grow();
        }
        while (growing.pagesFor(BlockLayout.HEADER_BYTES + RAW_BYTES) > 0) {
            long page = page();
            growing.addPage(page);
        }
        compressor.compress(raw, filled, growing.blockSeed(), growing::add);
        filled = 0;
        if (growing.bytes() >= uploads.sectionBytes()) {
            sealGrowing();
        }
    }

    private void grow() {
        growing = new ChangelogSection(sections, number);
    }

    /** A page; if there is none, what has grown so far goes away for one. */
    private long page() throws IOException {
        long page = uploads.takePage();
        if (page != Arena.FULL) {
            return page;
        }
        if (growing.bytes() > 0) {
            sealGrowing();
            grow();
        }
        return uploads.awaitPage();
    }

    private void seal() throws IOException {
        if (!closed && filled > 0) {
            compress();
        }
        if (growing != null) {
            sealGrowing();
        }
    }

    private void sealGrowing() {
        number++;
        sections.add(growing);
        growing = null;
    }

    @Override
    public CompletableFuture<SnapshotResult<ChangelogStateHandleStreamImpl>> persist(
            SequenceNumber from, long checkpointId) throws IOException {
        if (closed) {
            throw new IOException("the changelog has been closed with its task");
        }
        seal();
        return sections.persist(number(from), number, checkpointId);
    }

    private static long number(SequenceNumber number) {
        return ((SequenceNumber.GenericSequenceNumber) number).number;
    }

    @Override
    public void truncate(SequenceNumber to) {
        sections.truncate(number(to), number);
    }

    /** What was listed is the job manager's. */
    @Override
    public void confirm(SequenceNumber from, SequenceNumber to, long checkpointId) {
        completed.accept(checkpointId);
    }

    /** The next checkpoint lists the same again, and what came since. */
    @Override
    public void reset(SequenceNumber from, SequenceNumber to, long checkpointId) {
        sections.abort(checkpointId);
    }

    @Override
    public void truncateAndClose(SequenceNumber from) {
        close();
    }

    @Override
    public void close() {
        closed = true;
        release.releaseSoon();
    }

    private void releaseAll() {
        if (growing != null) {
            uploads.givePages(growing);
            growing = null;
        }
        compressor.close();
        own.giveSpan(raw, RAW_BYTES / ChangelogUploads.PAGE_BYTES, Arena.Use.LOG);
        own.close();
        sections.close();
    }
}
