package io.drey.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.result.ProcessSample;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts are captured ones. */
class ProcessFilesTest {
    private static final String IO = """
        rchar: 323934356
        wchar: 323929600
        syscr: 632687
        syscw: 632675
        read_bytes: 4096
        write_bytes: 323932160
        cancelled_write_bytes: 0
        """;

    private static final String DEVICE =
            "    2439        2   161140      282      903      162   461552      764        0      332     1054       "
                    + " 2        0  1048584        0       26        7\n";

    private static final String STATUS = """
        Name:\tjava
        VmPeak:\t 3060 kB
        VmHWM:\t    1704 kB
        VmRSS:\t    1500 kB
        VmSwap:\t       0 kB
        """;

    @TempDir
    private Path directory;

    @Test
    void aProcessHasSystemCallsAndBytesOfItsDevices() {
        assertThat(ReadsAndWrites.ofProcess(IO)).isEqualTo(new ProcessSample.Io(632_687, 4096, 632_675, 323_932_160));
    }

    @Test
    void aDeviceHasItsOwnCounts() {
        assertThat(ReadsAndWrites.ofDevice(DEVICE))
                .isEqualTo(new ProcessSample.Io(2439, 161_140L * 512, 903, 461_552L * 512));
    }

    @Test
    void aSampleHasWhatCameSince() {
        assertThat(new ProcessSample.Io(2, 30, 400, 5000).since(new ProcessSample.Io(1, 10, 100, 1000)))
                .isEqualTo(new ProcessSample.Io(1, 20, 300, 4000));
        assertThat(new ProcessSample.Io(2, 30, 400, 5000).since(ProcessSample.Io.UNKNOWN))
                .isEqualTo(ProcessSample.Io.UNKNOWN);
    }

    @Test
    void memoryIsInBytes() {
        assertThat(ProcessStatus.parse(STATUS)).isEqualTo(new ProcessStatus(1500 * 1024, 1704 * 1024));
        assertThat(ProcessStatus.parse("Name:\tx\n")).isEqualTo(ProcessStatus.UNKNOWN);
    }

    @Test
    void aFileThatIsNotThereHasNoText() {
        assertThat(new SmallFile().read(directory.resolve("nothing"))).isNull();
    }
}
