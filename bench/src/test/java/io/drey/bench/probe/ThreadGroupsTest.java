package io.drey.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names are those that processes with these backends have. */
class ThreadGroupsTest {
    @ParameterizedTest
    @CsvSource({
        "'last-seen -> di', task",
        "'Source: load (1', source",
        "rocksdb:low, background",
        "rocksdb:high, background",
        "drey-background, background",
        "drey-upload, checkpoint",
        "drey-restore, checkpoint",
        "AsyncOperations, checkpoint",
        "jobmanager-io-t, checkpoint",
        "Flink-RocksDBSt, checkpoint",
        "Flink-ForStStat, checkpoint",
        "ChangelogUpload, checkpoint",
        "periodic-materi, checkpoint",
        "'Checkpoint Time', checkpoint",
        "GC Thread#0, gc",
        "G1 Main Marker, gc",
        "VM Thread, gc",
        "C2 CompilerThre, jit",
        "C1 CompilerThre, jit",
        "flink-pekko.act, other",
        "java, other"
    })
    void aThreadBelongsToTheGroupOfItsName(String name, String group) {
        ThreadGroups groups = new ThreadGroups();
        groups.tasks(List.of("last-seen -> digest", "Source: load"));

        assertThat(groups.of(name)).isEqualTo(group);
        assertThat(ThreadGroups.ALL).contains(group);
    }

    @Test
    void aTaskWithAShortNameGoesOnWithItsNumber() {
        ThreadGroups groups = new ThreadGroups();
        groups.tasks(List.of("join"));

        assertThat(groups.of("join (1/1)#0")).isEqualTo(ThreadGroups.TASK);
    }

    @Test
    void beforeTheJobIsKnownNothingIsATask() {
        assertThat(new ThreadGroups().of("last-seen -> di")).isEqualTo(ThreadGroups.OTHER);
    }
}
