package io.drey.cli.inspect.snapshot;

/** The sentence for serializers that cannot be read: most often a class of the job is missing. */
final class MissingClass {
    private MissingClass() {}

    static String sentence(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClassNotFoundException || cause instanceof NoClassDefFoundError) {
                return "Class " + cause.getMessage().replace('/', '.')
                        + " is missing, so keys and values are shown as bytes: name the job's jar with --classpath.";
            }
        }
        return "The serializers cannot be read (" + failure.getMessage() + "), so keys and values are shown as bytes.";
    }
}
