package io.drey.flink.state.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.options.DreySettings;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.MemoryManagerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreLeaseTest {
    /** More than an address space. */
    private static final MemorySize TOO_MUCH = new MemorySize(1L << 50);

    @TempDir
    Path base;

    @Test
    void whatCannotBeAcquiredLeavesNoTraces() throws IOException {
        Configuration config = new Configuration();
        config.set(DreyOptions.FIXED_MEMORY_PER_SLOT, TOO_MUCH);
        config.set(DreyOptions.PAGE_SIZE, MemorySize.ofMebiBytes(16));
        MemoryManager memory =
                MemoryManagerBuilder.newBuilder().setMemorySize(1 << 20).build();
        InstanceDirectory directory = InstanceDirectory.create(
                List.of(base.toFile()), false, new JobID(), "operator", false, InstanceDirectory.Disks.REAL);
        long before = Memory.allocatedBytes();
        assertThatThrownBy(() ->
                        StoreLease.acquire(null, DreySettings.from(config), directory, Surroundings.REAL, memory, 1.0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("state.backend.drey.memory.fixed-per-slot");
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
        try (Stream<Path> left = Files.list(base)) {
            assertThat(left).as("local directories without users").isEmpty();
        }
    }
}
