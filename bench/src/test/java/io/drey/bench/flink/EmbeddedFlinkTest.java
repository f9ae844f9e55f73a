package io.drey.bench.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedFlinkTest {
    @ParameterizedTest
    @ValueSource(strings = {"/a/b", "/my jobs/chk-1", "/100%/chk-1", "/100%25/chk-1", "/a#1?x/[y]"})
    void theNameOfADirectoryComesBackFromFlinkAsTheUserWroteIt(String path) {
        String ofFlink = new org.apache.flink.core.fs.Path(FlinkSettings.uri(Path.of(path))).toString();

        assertThat(EmbeddedFlink.plain(ofFlink)).isEqualTo(path);
    }

    @Test
    void aPathThatIsNotOfThisMachineStaysAsItIs() {
        assertThat(EmbeddedFlink.plain("s3://bucket/my jobs/chk-1")).isEqualTo("s3://bucket/my jobs/chk-1");
    }
}
