package io.drey.flink.shuffle;

import java.lang.reflect.Field;
import org.apache.flink.runtime.jobmaster.JobMasterGateway;
import org.apache.flink.runtime.rpc.RpcEndpoint;
import org.apache.flink.runtime.shuffle.JobShuffleContext;
import org.apache.flink.runtime.shuffle.JobShuffleContextImpl;

/**
 * Makes calls of other threads in a job master's own one. The context that Flink gives calls the job master directly,
 * in whatever thread: right for the tiered shuffle, which asks in the job master's thread only.
 */
final class JobMasterThread {
    private static final String GATEWAY = "jobMasterGateway";

    private JobMasterThread() {}

    static JobShuffleContext of(JobShuffleContext context) {
        if (context instanceof JobShuffleContextImpl && gateway(context) instanceof RpcEndpoint jobMaster) {
            return new JobShuffleContextImpl(context.getJobId(), jobMaster.getSelfGateway(JobMasterGateway.class));
        }
        return context;
    }

    private static Object gateway(JobShuffleContext context) {
        try {
            Field field = JobShuffleContextImpl.class.getDeclaredField(GATEWAY);
            field.setAccessible(true);
            return field.get(context);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "expected field " + GATEWAY + " of " + JobShuffleContextImpl.class
                            + ", found none: use the version of Drey that is made for this version of Flink",
                    e);
        }
    }
}
