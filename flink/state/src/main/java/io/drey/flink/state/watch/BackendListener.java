package io.drey.flink.state.watch;

import io.drey.flink.state.restore.RestoreReport;
import java.util.List;

/** Is told what happens to backends. Rooms tell it, the door logs it. Any thread. */
public interface BackendListener {
    /**
     * A backend is open.
     *
     * @param operator Flink's name of the subtask
     * @param settings the options that hold
     * @param memoryBytes memory that the stores of its slot share
     * @param pageBytes a page of it
     * @param directories where its files lie, by the place in the option
     * @param report what it was opened on
     */
    record Opened(
            String operator,
            String settings,
            long memoryBytes,
            int pageBytes,
            List<String> directories,
            RestoreReport report) {}

    void opened(Opened backend);

    /** All files of a backend that did not wait for them are local by now, after so long. */
    void restored(String operator, long nanos);

    /** A backend could not be opened, or not be restored as a whole; the sentence says why. */
    void failed(String sentence);

    /** Something needs the user's attention; the sentence says what it is and what to do. */
    void warned(String sentence);
}
