package io.drey.flink.state.options;

/** The version of Drey that runs, for logs, metrics and messages. */
public final class DreyVersion {
    private static final String TEXT = text(DreyVersion.class.getPackage().getImplementationVersion());

    private DreyVersion() {}

    /** As its jar says. */
    public static String text() {
        return TEXT;
    }

    private static String text(String ofJar) {
        return ofJar == null ? "built from source" : ofJar;
    }
}
