package io.drey.flink.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips exactly the tests that {@code exclusions.txt} lists, with the reason it gives. Flink's test methods are
 * package-private, so that an override with {@code @Disabled} would not reach them.
 */
public final class ExcludedTests implements ExecutionCondition {

    private static final String LIST = "exclusions.txt";

    private static final Map<String, String> REASONS = read();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String reason = context.getTestMethod()
                .map(method -> REASONS.get(context.getRequiredTestClass().getSimpleName() + "." + method.getName()))
                .orElse(null);
        return reason == null
                ? ConditionEvaluationResult.enabled("not in " + LIST)
                : ConditionEvaluationResult.disabled(reason);
    }

    /** Test ("class.method") to reason, in the order of the list. */
    static Map<String, String> reasons() {
        return REASONS;
    }

    private static Map<String, String> read() {
        Map<String, String> reasons = new LinkedHashMap<>();
        try (InputStream list = ExcludedTests.class.getResourceAsStream(LIST)) {
            if (list == null) {
                throw new IllegalStateException(LIST + " is not beside " + ExcludedTests.class.getName());
            }
            String text = new String(list.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        String[] testAndReason = line.split("\\s*\\|\\s*", 2);
                        if (testAndReason.length != 2 || testAndReason[1].isBlank()) {
                            throw new IllegalStateException(
                                    LIST + ": expected \"class.method | reason\", found: " + line);
                        }
                        reasons.put(testAndReason[0].trim(), testAndReason[1].trim());
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reasons;
    }
}
