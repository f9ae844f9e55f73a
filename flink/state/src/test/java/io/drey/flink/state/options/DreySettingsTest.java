package io.drey.flink.state.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.store.StoreSettings;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DreySettingsTest {
    private static DreySettings settings(String key, String value) {
        Configuration config = new Configuration();
        config.setString(key, value);
        return DreySettings.from(config);
    }

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        DreySettings settings = DreySettings.from(new Configuration());
        assertThat(settings.incremental()).isTrue();
        assertThat(settings.localDirectories()).isEmpty();
        assertThat(settings.fixedMemoryBytes()).isZero();
        assertThat(settings.pageBytes()).as("fits the memory").isZero();
        assertThat(settings.blockBytes()).isEqualTo(2 << 10);
        assertThat(settings.ioBytes()).isEqualTo(256 << 10);
        assertThat(settings.runBytesMax()).isEqualTo(64L << 20);
        assertThat(settings.directIo()).isFalse();
    }

    @Test
    void aStoreInAJobIsTheStoreThatIsMeasuredAlone() {
        DreySettings settings = DreySettings.from(new Configuration());
        StoreSettings shipped = StoreSettings.of(0, 0);
        assertThat(settings.blockBytes()).isEqualTo(shipped.blockBytes());
        assertThat(settings.ioBytes()).isEqualTo(shipped.ioBytes());
        assertThat(settings.runBytesMax()).isEqualTo(shipped.runBytesMax());
        assertThat(settings.youngRunsMax()).isEqualTo(shipped.youngRunsMax());
    }

    @Test
    void readsWhatIsSet() {
        assertThat(settings("execution.checkpointing.incremental", "false").incremental())
                .isFalse();
        assertThat(settings("state.backend.drey.local-dir", "/a, /b").localDirectories())
                .containsExactly("/a", "/b");
        assertThat(settings("state.backend.drey.memory.fixed-per-slot", "1mb").fixedMemoryBytes())
                .isEqualTo(1 << 20);
        assertThat(settings("state.backend.drey.io.direct", "true").directIo()).isTrue();
        assertThat(settings("state.backend.drey.background.threads", "3").backgroundThreads())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memory.page-size | 100kb | a power of two",
                "memory.page-size | 1tb | at most",
                "memory.fixed-per-slot | 0b | at least",
                "block-size | 1b | at least",
                "io-size | 1kb | at least",
                "run.size-max | 1kb | at least",
                "run.size-max | 2tb | at most",
                "run.size-max | 9223372036854775807b | at most",
                "run.young-max | 1 | a number from 2 to 64",
                "background.threads | 0 | a number from 1",
                "timer.cache-size | 0 | a number from 1",
                "checkpoint.transfer.thread.num | -1 | a number from 1",
                "local-dir | relative/path | absolute",
            })
    void refusesBadValuesInOneSentence(String option, String value, String expected) {
        String key = "state.backend.drey." + option;
        assertThatThrownBy(() -> settings(key, value))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("expected " + key + " to be")
                .hasMessageContaining(expected)
                .hasMessageContaining("found ");
    }

    @Test
    void refusesUrisAndSaysWhatToWrite() {
        assertThatThrownBy(() -> settings("state.backend.drey.local-dir", "/a,file:///data/x"))
                .hasMessage("expected state.backend.drey.local-dir to be absolute paths of local directories, found the"
                        + " URI file:///data/x: write /data/x");
        assertThatThrownBy(() -> settings("state.backend.drey.local-dir", "s3://bucket/x"))
                .hasMessageEndingWith("found the URI s3://bucket/x: state lies on local disks, and checkpoints go to"
                        + " execution.checkpointing.dir");
        assertThat(settings("state.backend.drey.local-dir", "/mnt/disk1:/mnt/disk2")
                        .localDirectories())
                .containsExactly("/mnt/disk1", "/mnt/disk2");
        assertThatThrownBy(() -> settings("state.backend.drey.local-dir", "/mnt/disk1:file:///x"))
                .hasMessageContaining("write /x");
        assertThat(settings("state.backend.drey.local-dir", "/a:/b").localDirectories())
                .containsExactly("/a", "/b");
    }

    @Test
    void refusesWhatCannotBeRead() {
        assertThatThrownBy(() -> settings("state.backend.drey.timer.cache-size", "many"))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("state.backend.drey.timer.cache-size")
                .hasMessageContaining("many");
    }

    @Test
    void memoryMustComeFromSomewhere() {
        assertThatThrownBy(() -> settings("state.backend.drey.memory.managed", "false"))
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("state.backend.drey.memory.fixed-per-slot");
    }
}
