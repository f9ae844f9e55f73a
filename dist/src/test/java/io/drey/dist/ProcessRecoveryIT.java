package io.drey.dist;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Recovery from kill -9 in a Flink of separate processes, put together from the component jars of the Maven registry.
 */
class ProcessRecoveryIT {

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void outputIsExactAfterTheTaskManagerWasKilled() throws Exception {
        RecoveryScenario.play(BuiltFiles.workDirectory("components"), BuiltFiles.flinkJars());
    }
}
