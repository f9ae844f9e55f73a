package io.drey.cli.inspect.snapshot;

/** The sentence for serializers that cannot be read: most often a class of the job is missing. */
final class MissingClass {
    private MissingClass() {}

    /** The name of the class that is missing, or null: something else is wrong. */
    static String of(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError)) {
            cause = cause.getCause();
        }
        return cause == null ? null : cause.getMessage().replace('/', '.');
    }

    static String sentence(Throwable failure) {
        String missing = of(failure);
        if (missing != null) {
            return "Class " + missing
                    + " is missing, so keys and values are shown as bytes: name the job's jar with --classpath.";
        }
        return "The serializers cannot be read (" + failure + "), so keys and values are shown as bytes.";
    }
}
