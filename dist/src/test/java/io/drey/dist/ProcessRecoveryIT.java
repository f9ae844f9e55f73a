package io.drey.dist;

import io.drey.testkit.Effort;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Recovery from kill -9 in a Flink of separate processes, put together from the component jars of the Maven registry.
 */
@Tag(Effort.TAG)
@Tag(Effort.LONG_TAG)
class ProcessRecoveryIT {

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void outputIsExactAfterTheTaskManagerWasKilled() throws Exception {
        RecoveryScenario.play(BuiltFiles.workDirectory("components"), BuiltFiles.flinkJars());
    }
}
