package org.apache.flink.state.forst;

import io.drey.flink.conformance.ReplacedBackend;
import java.io.IOException;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.StateBackendFactory;

/**
 * First on the class path under the name of Flink's factory, so that a suite that asks for {@code forst} gets the
 * backend under test.
 */
public final class ForStStateBackendFactory implements StateBackendFactory<AbstractStateBackend> {

    @Override
    public AbstractStateBackend createFromConfig(ReadableConfig config, ClassLoader classLoader) throws IOException {
        return ReplacedBackend.create(config, classLoader);
    }
}
