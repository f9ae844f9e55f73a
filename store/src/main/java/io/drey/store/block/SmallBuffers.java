package io.drey.store.block;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Buffers of one small size, cut from arena pages, so that many cursors do not take a page each. One thread. */
public final class SmallBuffers implements AutoCloseable {
    private static final int BUFFER_BYTES_MAX = 512;

    private final Arena arena;
    private final Overdraft overdraft;
    private final int bufferBytes;
    private final List<Scratch> pages = new ArrayList<>();
    private long[] free = new long[16];
    private int freeCount;
    private int taken;

    public SmallBuffers(Arena arena, Overdraft overdraft) {
        this.arena = arena;
        this.overdraft = overdraft;
        this.bufferBytes = Math.min(BUFFER_BYTES_MAX, arena.pageBytes());
    }

    int bufferBytes() {
        return bufferBytes;
    }

    Scratch large() {
        return new Scratch(arena, overdraft);
    }

    long take() {
        if (freeCount == 0) {
            Scratch page = new Scratch(arena, overdraft);
            long address = page.reserve(arena.pageBytes());
            pages.add(page);
            for (int at = 0; at + bufferBytes <= arena.pageBytes(); at += bufferBytes) {
                push(address + at);
            }
        }
        taken++;
        return free[--freeCount];
    }

    void give(long buffer) {
        taken--;
        push(buffer);
    }

    private void push(long buffer) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = buffer;
    }

    /** Gives back the pages; all buffers must have been given back. */
    @Override
    public void close() {
        if (taken != 0) {
            throw new IllegalStateException(
                    "expected all cursors closed before their session, found " + taken + " open");
        }
        pages.forEach(Scratch::close);
        pages.clear();
        freeCount = 0;
    }
}
