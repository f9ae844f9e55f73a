package io.drey.cli.doctor.finding;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.drey.cli.doctor.finding.Finding.Weight;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Findings, and what was measured, as text and as JSON. */
public final class FindingList {
    private static final int EXIT_CLEAN = 0;
    private static final int EXIT_FOUND = 3;
    private static final int WIDTH = 100;
    private static final int LABEL = 12;
    private static final int NAME_MAX = 44;

    private final List<Finding> findings;
    private final Map<String, String> facts;

    /**
     * Findings, the heaviest first.
     *
     * @param facts what was measured, in the order in which it is shown
     */
    public FindingList(List<Finding> findings, Map<String, String> facts) {
        this.findings =
                findings.stream().sorted(Comparator.comparing(Finding::weight)).toList();
        this.facts = new LinkedHashMap<>(facts);
    }

    /** Those of some rules that found something; a rule that found nothing answered null. */
    public static List<Finding> found(Finding... answers) {
        return Stream.of(answers).filter(Objects::nonNull).toList();
    }

    public List<Finding> findings() {
        return findings;
    }

    /** 0 if there is nothing but notes, else 3. */
    public int exitCode() {
        return findings.stream().allMatch(finding -> finding.weight() == Weight.NOTE) ? EXIT_CLEAN : EXIT_FOUND;
    }

    public String json() throws JsonProcessingException {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("facts", facts);
        tree.put("findings", findings);
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(tree);
    }

    /** Facts first, then each finding with its evidence. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        int width = facts.keySet().stream()
                .mapToInt(name -> shown(name).length())
                .max()
                .orElse(0);
        facts.forEach((name, value) ->
                lines.add(shown(name) + " ".repeat(width - shown(name).length()) + "  " + value));
        lines.add("");
        if (findings.isEmpty()) {
            lines.add("Nothing found that would have to change.");
        }
        for (Finding finding : findings) {
            lines.add(finding.weight() + ": " + finding.title() + " [" + finding.rule() + "]");
            part(lines, "evidence", finding.evidence());
            part(lines, "cause", finding.cause());
            part(lines, "do", finding.advice());
            part(lines, "expect", finding.expectation());
            lines.add("");
        }
        return lines;
    }

    /** A name of what was measured, without the middle of a long one: tasks differ at their begin, paths at the end. */
    private static String shown(String name) {
        int half = NAME_MAX / 2;
        return name.length() <= NAME_MAX
                ? name
                : name.substring(0, half - 1) + "…" + name.substring(name.length() - half);
    }

    private static void part(List<String> lines, String label, String text) {
        StringBuilder line = new StringBuilder("  " + label + " ".repeat(LABEL - 2 - label.length()));
        for (String word : text.split(" ")) {
            if (line.length() + word.length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(LABEL));
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
    }
}
