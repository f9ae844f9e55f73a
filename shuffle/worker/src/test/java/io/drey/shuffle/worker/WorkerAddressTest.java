package io.drey.shuffle.worker;

import static io.drey.shuffle.worker.WriteAndReadTest.options;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import io.drey.shuffle.worker.WorkerOptions.Key;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that others would be sent to and could not reach does not start. */
final class WorkerAddressTest {
    @TempDir
    Path directory;

    private WorkerOptions reached(String host, String advertised, String registry) {
        return options(directory)
                .with(Key.HOST, host)
                .with(Key.ADVERTISED_HOST, advertised)
                .with(Key.REGISTRY, registry);
    }

    private void isRefused(String sentence, WorkerOptions options) {
        assertThatThrownBy(() -> ShuffleWorker.open(options))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining(sentence);
    }

    private static void isTaken(WorkerOptions options) {
        assertThatCode(options::checkAddresses).doesNotThrowAnyException();
    }

    @Test
    void anAddressToListenAtIsNoneToBeReachedAt() {
        isRefused("option advertised-host, found '0.0.0.0'", reached("0.0.0.0", "", ""));
        isRefused("option advertised-host, found '::'", reached("::", "", "node1:9470"));
        isRefused("option advertised-host, found '::'", reached("0.0.0.0", "[::]", "node1:9470"));
        isTaken(reached("0.0.0.0", "node2", "node1:9470"));
    }

    @Test
    void aWorkerOfSeveralMachinesIsNotReachedAtLoopback() {
        isRefused("registry node1:9470", reached("127.0.0.1", "", "127.0.0.1:9470,node1:9470"));
        isRefused("advertised-host 'LOCALHOST'", reached("0.0.0.0", "LOCALHOST", "10.0.0.1:9470"));
        isRefused("host '::1'", reached("::1", "node2", "[fe80::1]:9470"));
        isTaken(reached("10.0.0.7", "", "node1:9470"));
    }

    /** As the name of a machine that knows itself as 127.0.1.1. */
    @Test
    void whatIsLoopbackOnlyWhenItIsLookedUpIsNotReachedEither() {
        isRefused("registry node1:9470", reached("0:0:0:0:0:0:0:1", "node2", "node1:9470"));
        isTaken(reached("0:0:0:0:0:0:0:1", "node2", "[0:0:0:0:0:0:0:1]:9470"));
        isTaken(reached("no-such-host.invalid", "", "node1:9470"));
    }

    @Test
    void workersOfOneMachineMeetAtLoopback() {
        isTaken(reached("127.0.0.1", "", ""));
        isTaken(reached("localhost", "", "127.0.0.1:9470,[::1]:9471"));
    }
}
