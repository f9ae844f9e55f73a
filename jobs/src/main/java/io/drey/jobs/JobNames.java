package io.drey.jobs;

import java.util.StringJoiner;
import java.util.function.Function;

/** Finds a job by its name on the command line, among those of its kind. */
final class JobNames {
    private JobNames() {}

    /**
     * The job of a name.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are
     */
    static <J> J find(String name, J[] jobs, Function<J, String> nameOf) {
        StringJoiner names = new StringJoiner(", ");
        for (J job : jobs) {
            if (nameOf.apply(job).equals(name)) {
                return job;
            }
            names.add(nameOf.apply(job));
        }
        throw new IllegalArgumentException("There is no job '" + name + "'; expected " + names + ".");
    }
}
