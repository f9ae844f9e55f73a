package io.drey.bench.cell;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendFactory;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;

/** Makes a state backend that is wrong: of the entries that are put into maps one in a thousand is lost. */
public final class ForgetfulBackendFactory implements StateBackendFactory<StateBackend> {
    private static final int PUTS_PER_LOSS = 1000;

    @Override
    public StateBackend createFromConfig(ReadableConfig config, ClassLoader classLoader) {
        return new Forgetful();
    }

    private static final class Forgetful implements StateBackend {
        private static final long serialVersionUID = 1L;

        private final HashMapStateBackend right = new HashMapStateBackend();

        @Override
        @SuppressWarnings("unchecked")
        public <K> CheckpointableKeyedStateBackend<K> createKeyedStateBackend(KeyedStateBackendParameters<K> parameters)
                throws IOException {
            CheckpointableKeyedStateBackend<K> backend = right.createKeyedStateBackend(parameters);
            return (CheckpointableKeyedStateBackend<K>) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {CheckpointableKeyedStateBackend.class},
                    (proxy, method, arguments) -> {
                        Object result = call(backend, method, arguments);
                        return result instanceof MapState<?, ?> map ? losing(map) : result;
                    });
        }

        @Override
        public OperatorStateBackend createOperatorStateBackend(OperatorStateBackendParameters parameters)
                throws Exception {
            return right.createOperatorStateBackend(parameters);
        }

        private static MapState<?, ?> losing(MapState<?, ?> map) {
            int[] puts = {0};
            return (MapState<?, ?>) Proxy.newProxyInstance(
                    Forgetful.class.getClassLoader(), new Class<?>[] {MapState.class}, (proxy, method, arguments) -> {
                        boolean lost = method.getName().equals("put") && ++puts[0] % PUTS_PER_LOSS == 0;
                        return lost ? null : call(map, method, arguments);
                    });
        }

        private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
