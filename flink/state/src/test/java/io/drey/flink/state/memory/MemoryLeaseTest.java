package io.drey.flink.state.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.options.DreySettings;
import io.drey.foundation.Memory;
import java.io.IOException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.MemoryManagerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryLeaseTest {
    private static DreySettings settings(String... keysAndValues) {
        Configuration config = new Configuration();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            config.setString("state.backend.drey.memory." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return DreySettings.from(config);
    }

    private static MemoryManager manager(long bytes) {
        return MemoryManagerBuilder.newBuilder().setMemorySize(bytes).build();
    }

    @ParameterizedTest
    @CsvSource({
        "256, 65536",
        "64, 65536",
        "63, 32768",
        "32, 32768",
        "8, 8192",
        "4, 4096",
        "1, 4096",
        "32768, 65536",
        "32769, 131072",
        "262144, 524288"
    })
    void pagesFitTheMemory(long megabytes, int pageBytes) {
        assertThat(MemoryLease.fittingPageBytes(megabytes << 20)).isEqualTo(pageBytes);
    }

    @Test
    void leasesOfASlotShareItsMemoryAndTheLastOneFreesIt() throws IOException {
        long before = Memory.allocatedBytes();
        MemoryManager manager = manager(8 << 20);
        try (MemoryLease first = MemoryLease.acquire(manager, 1.0, settings())) {
            MemoryLease second = MemoryLease.acquire(manager, 1.0, settings());
            assertThat(second.memory()).isSameAs(first.memory());
            assertThat(first.memory().arena().bytes()).isEqualTo(8 << 20);
            second.close();
            second.close();
            assertThat(Memory.allocatedBytes()).isEqualTo(before + (8 << 20));
        }
        assertThat(Memory.allocatedBytes()).isEqualTo(before);
        assertThat(manager.verifyEmpty()).isTrue();
    }

    @Test
    void aFixedSizeLiesBesideTheManagedMemory() throws IOException {
        MemoryManager manager = manager(1 << 20);
        try (MemoryLease lease =
                MemoryLease.acquire(manager, 1.0, settings("fixed-per-slot", "4mb", "page-size", "16kb"))) {
            assertThat(lease.memory().arena().bytes()).isEqualTo(4 << 20);
            assertThat(lease.memory().arena().pageBytes()).isEqualTo(16 << 10);
            assertThat(manager.verifyEmpty()).isTrue();
        }
    }

    @Test
    void ifTheSystemHasNoMemoryNobodyIsToldToTakeMore() {
        assertThat(MemoryLease.reason(new RuntimeException(new OutOfMemoryError("Unable to allocate 5 bytes"))))
                .isEqualTo("Unable to allocate 5 bytes: give the task manager less managed memory"
                        + " (taskmanager.memory.managed.size), or its machine or container more");
    }

    @Test
    void tooLittleMemoryIsRefusedWithAdvice() {
        assertThatThrownBy(() -> MemoryLease.acquire(manager(1 << 20), 0.05, settings()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the memory of the slot could not be acquired for Drey's stores: expected at least 128 KB of"
                                + " memory for Drey's stores of a slot, 32 pages, found 51 KB: give the task manager more managed"
                                + " memory (taskmanager.memory.managed.size), or another size by"
                                + " state.backend.drey.memory.fixed-per-slot");
    }

    @Test
    void whomTheWeightsOfConsumersGiveNothingIsToldOfThem() throws IOException {
        assertThatThrownBy(() -> MemoryLease.acquire(manager(8 << 20), 0, settings()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("taskmanager.memory.managed.consumer-weights")
                .hasMessageNotContaining("managed.size");
        try (MemoryLease lease = MemoryLease.acquire(manager(8 << 20), 0, settings("fixed-per-slot", "4mb"))) {
            assertThat(lease.memory().arena().bytes()).isEqualTo(4 << 20);
        }
    }
}
