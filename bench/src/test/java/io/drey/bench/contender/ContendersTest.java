package io.drey.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.state.rocksdb.RocksDBConfigurableOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContendersTest {
    private static final long GB = 1L << 30;

    private final Contenders contenders = new Contenders(14 * GB);

    @TempDir
    private Path directory;

    @Test
    void dreyAndAllThatFlinkShipsAreKnown() {
        assertThat(Contenders.names())
                .containsExactly(
                        "drey",
                        "hashmap",
                        "rocksdb",
                        "rocksdb-tuned",
                        "rocksdb-hits",
                        "forst",
                        "changelog-rocksdb",
                        "changelog-hashmap",
                        "no-state");
        for (String name : Contenders.names()) {
            Contender contender = contenders.named(name);
            assertThat(contenders.parse(contender.name())).isEqualTo(contender);
            assertThat(contender.options()).containsKey("state.backend.type");
            assertThat(contender.title()).isNotEmpty();
        }
        assertThat(contenders.named("rocksdb").options()).containsOnly(Map.entry("state.backend.type", "rocksdb"));
        assertThat(contenders.named("no-state").keepsState()).isFalse();
        assertThat(contenders.named("changelog-hashmap").heapState()).isTrue();
        assertThat(contenders.named("forst").home()).isEqualTo(Contender.Home.DISK);
    }

    @Test
    void theTunedOneIsTheArticlesAtItsSize() {
        Map<String, String> options = contenders.named("rocksdb-tuned").options();

        assertThat(options)
                .containsEntry("state.backend.rocksdb.writebuffer.size", GB + "b")
                .containsEntry("state.backend.rocksdb.compaction.level.target-file-size-base", GB / 8 + "b")
                .containsEntry("state.backend.rocksdb.writebuffer.count", "4")
                .containsEntry("state.backend.rocksdb.writebuffer.number-to-merge", "3")
                .containsEntry("state.backend.rocksdb.memory.partitioned-index-filters", "true");
        assertThat(RocksDbTuning.of(256L << 20)).isEqualTo(new RocksDbTuning("0.43", (256L << 20) / 14, 8L << 20));
        assertThat(RocksDbTuning.of(0)).isEqualTo(new RocksDbTuning("0.43", 1L << 20, 8L << 20));
    }

    @Test
    void rocksDbKnowsEveryOptionThatItIsTunedWith() throws IllegalAccessException {
        Set<String> known = new HashSet<>(Set.of("state.backend.type"));
        for (Class<?> options : List.of(RocksDBOptions.class, RocksDBConfigurableOptions.class)) {
            for (Field field : options.getFields()) {
                if (field.get(null) instanceof ConfigOption<?> option) {
                    known.add(option.key());
                }
            }
        }
        Contender tuned = contenders.named("rocksdb-tuned");

        assertThat(known)
                .containsAll(tuned.options().keySet())
                .containsAll(tuned.directIo().keySet());
    }

    @Test
    void onARationedDiskOnlyThoseRunThatGoPastThePageCache() throws ClassNotFoundException {
        for (String name : List.of("drey", "rocksdb", "rocksdb-tuned", "rocksdb-hits", "changelog-rocksdb")) {
            Contender contender = contenders.named(name);
            assertThat(contender.whyNotOnRationedDisk()).isEmpty();
            assertThat(contender.optionsOnRationedDisk())
                    .containsAllEntriesOf(contender.options())
                    .containsAllEntriesOf(contender.directIo());
        }
        for (String name : List.of("hashmap", "forst", "changelog-hashmap", "no-state")) {
            Contender contender = contenders.named(name);
            assertThat(contender.whyNotOnRationedDisk().orElseThrow())
                    .startsWith(name + " ")
                    .endsWith(".");
            assertThatThrownBy(contender::optionsOnRationedDisk).isInstanceOf(IllegalStateException.class);
        }
        assertThat(Class.forName(contenders.named("rocksdb").directIo().get("state.backend.rocksdb.options-factory")))
                .isNotNull();
    }

    @Test
    void aUsersOwnFactoryIsAContender() throws IOException {
        Path jar = Files.createFile(directory.resolve("mine.jar"));

        Contender mine = contenders.parse("mine=org.example.MyFactory; jar=" + jar + ";state.backend.mine.size=4kb");

        assertThat(mine.name()).isEqualTo("mine");
        assertThat(mine.options())
                .containsOnly(
                        Map.entry("state.backend.type", "org.example.MyFactory"),
                        Map.entry("state.backend.mine.size", "4kb"));
        assertThat(mine.jars()).containsExactly(jar.toString());
        assertThat(mine.home()).isEqualTo(Contender.Home.DISK);
    }

    @Test
    void aKnownOneCanBeVariedUnderANewName() {
        Contender small = contenders.parse("drey-4k=drey;state.backend.drey.block-size=4kb");
        Contender plain = contenders.parse(
                "plain=rocksdb-tuned;state.backend.rocksdb.compression.per.level=NO_COMPRESSION\\;LZ4_COMPRESSION");

        assertThat(small.options())
                .containsAllEntriesOf(contenders.named("drey").options())
                .containsEntry("state.backend.drey.block-size", "4kb");
        assertThat(small.directIo()).isEqualTo(contenders.named("drey").directIo());
        assertThat(small.title()).isEqualTo("Drey with state.backend.drey.block-size=4kb");
        assertThat(plain.options())
                .containsEntry("state.backend.rocksdb.compression.per.level", "NO_COMPRESSION;LZ4_COMPRESSION")
                .containsEntry("state.backend.rocksdb.writebuffer.count", "4");
    }

    @Test
    void mistakesAreExplained() {
        assertMistake("rockdb", "There is no contender 'rockdb'; there are drey, hashmap,");
        assertMistake("My=drey", "the name 'My' is to have lower case letters");
        assertMistake("../x=drey", "the name '../x' is to have lower case letters");
        assertMistake("drey=drey;a=b", "the name 'drey' is taken");
        assertMistake("mine=nothing", "expected the full name of a factory class or one of drey, hashmap,");
        assertMistake("mine=", "expected the full name of a factory class");
        assertMistake("mine=drey;block", "expected OPTION=VALUE or jar=FILE, found 'block'");
        assertMistake("mine=drey;=4kb", "expected OPTION=VALUE or jar=FILE, found '=4kb'");
        assertMistake("mine=drey;jar=" + directory.resolve("no.jar"), "no.jar cannot be read");
    }

    private void assertMistake(String text, String message) {
        assertThatThrownBy(() -> contenders.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
