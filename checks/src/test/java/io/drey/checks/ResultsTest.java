package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.figure.Figure;
import io.drey.bench.report.PublishedResults;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README claims what the newest published comparison measured, and the reference names every figure. */
final class ResultsTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ((?:`\\w+`(?:, )?)+) \\| ([^|]+) \\|.*\\|.*\\|$");

    @Test
    void readmeAndIndexShowWhatWasPublished() throws IOException {
        assertThat(PublishedResults.problems(House.root())).isEmpty();
    }

    @Test
    void theReferenceListsEveryFigureWithItsUnit() throws IOException {
        List<String> documented = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(House.root().resolve("docs/reference/comparison.md")));
        while (row.find()) {
            for (String name : row.group(1).replace("`", "").split(", ")) {
                documented.add(name + " in " + row.group(2));
            }
        }
        List<String> figures = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            figures.add(figure.json() + " in " + figure.unit().symbol());
        }
        assertThat(documented).isEqualTo(figures);
    }
}
