package io.drey.flink.state.options;

import java.util.List;
import org.apache.flink.runtime.util.EnvironmentInformation;

/**
 * The versions of Flink that this version of Drey runs on. On another one it would fail later, in ways that nobody
 * understands, or do something else than Flink expects: it is refused before anything of it is used.
 */
public final class SupportedFlink {
    /** The build compiles for the last and runs tests on the first too; each has what Drey calls and nothing it lacks. */
    private static final List<String> SUPPORTED = List.of("2.1", "2.2", "2.3");

    /** What Flink says if it was built without its version. */
    private static final String UNKNOWN = "unknown";

    private SupportedFlink() {}

    /** Throws on a Flink that is not supported. */
    public static void check() {
        String refusal = refusal(EnvironmentInformation.getVersion());
        if (refusal != null) {
            throw new UnsupportedOperationException(refusal);
        }
    }

    /** The sentence for a version that is not supported, or null; one that is not known is not refused. */
    static String refusal(String version) {
        boolean supported = SUPPORTED.contains(version.replaceFirst("^(\\d+\\.\\d+)[.-].*", "$1"));
        return supported || version.contains(UNKNOWN)
                ? null
                : "Drey " + DreyVersion.text() + " runs on Flink " + String.join(", ", SUPPORTED) + ", found Flink "
                        + version + ": take a Drey for this Flink, or one of these.";
    }
}
