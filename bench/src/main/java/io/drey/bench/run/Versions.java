package io.drey.bench.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** The versions of what takes part in a comparison, by name. */
final class Versions {
    private Versions() {}

    static Map<String, String> all() {
        Map<String, String> versions = new LinkedHashMap<>();
        String drey = Versions.class.getPackage().getImplementationVersion();
        versions.put("drey", drey == null ? "built from source" : drey);
        versions.put("flink", EnvironmentInformation.getVersion());
        versions.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        return versions;
    }
}
