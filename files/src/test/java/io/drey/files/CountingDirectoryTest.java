package io.drey.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class CountingDirectoryTest extends DirectoryContract {
    private final FaultyDirectory inner = new FaultyDirectory(new MemoryDirectory());

    @Override
    CountingDirectory directory() {
        return new CountingDirectory(inner, new IoCounters());
    }

    @Test
    void countsWhatSucceededAndWhatFailed() throws IOException {
        CountingDirectory directory = directory();
        write(directory, "a", "12345");
        assertThat(read(directory, "a")).isEqualTo("12345");
        inner.failFrom(0);
        assertThatThrownBy(() -> read(directory, "a")).isInstanceOf(InjectedFaultException.class);
        assertThatThrownBy(() -> directory.delete("a")).isInstanceOf(InjectedFaultException.class);
        assertThatThrownBy(() -> directory.create("b")).isInstanceOf(InjectedFaultException.class);
        inner.heal();
        try (ReadableFile file = directory.open("a")) {
            inner.failAt(0);
            assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
        }
        directory.delete("a");
        assertThat(directory.counters())
                .hasToString("reads 1 (5 B), writes 1 (5 B), syncs 1, creates 1, opens 2, deletes 1, failures 4");
    }
}
