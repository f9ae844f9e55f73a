package io.drey.flink.state.keyed;

import io.drey.files.remote.Downloads;
import io.drey.flink.state.watch.BackendListener;
import java.io.IOException;
import org.apache.flink.runtime.execution.Environment;

/** The end of a restore that does not wait, of one operator: all is local, or the task fails, because it never will be. */
record RestoreEnd(Environment environment, String operator, BackendListener listener) implements Downloads.Listener {
    @Override
    public void whole(long nanos) {
        listener.restored(operator, nanos);
    }

    @Override
    public void failed(IOException cause) {
        String sentence = "the keyed state of " + operator + " could not be restored as a whole: " + cause.getMessage();
        listener.failed(sentence);
        environment.failExternally(new IOException(sentence, cause));
    }
}
