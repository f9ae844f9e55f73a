package io.drey.store.run;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;

/** Where runs, their readers and writers take memory from: the slot's arena, and what may be borrowed beyond it. */
public record RunMemory(Arena arena, Overdraft overdraft) {}
