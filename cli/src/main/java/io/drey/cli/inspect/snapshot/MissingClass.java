package io.drey.cli.inspect.snapshot;

/** The sentence for serializers that cannot be read: most often a class of the job is missing. */
final class MissingClass {
    private MissingClass() {}

    /** The failure that names a class that is missing, or null: something else is wrong. */
    static Throwable of(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError)) {
            cause = cause.getCause();
        }
        return cause;
    }

    static String sentence(Throwable failure) {
        Throwable missing = of(failure);
        if (missing != null) {
            return "Class " + missing.getMessage().replace('/', '.')
                    + " is missing, so keys and values are shown as bytes: name the job's jar with --classpath.";
        }
        return "The serializers cannot be read (" + failure + "), so keys and values are shown as bytes.";
    }
}
