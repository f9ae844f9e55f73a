package io.drey.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drey.bench.figure.Figure;
import io.drey.bench.figure.Figures;
import io.drey.bench.figure.MadeUpComparison;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The report says what the figures say, and needs nothing beside itself. */
class HtmlReportTest {
    private static final Comparison COMPARISON = MadeUpComparison.whole(7);
    private static final Figures FIGURES = Figures.of(COMPARISON);
    private static final String HTML = HtmlReport.of(COMPARISON, FIGURES);

    @TempDir
    Path scratch;

    /** Every element is closed and every text escaped, so that a parser of XML reads it too. */
    private static Document parsed(String html) throws Exception {
        String xml = html.replace("<!doctype html>\n", "");
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }

    private static Figure figure(String json) {
        for (Figure figure : Figure.values()) {
            if (figure.json().equals(json)) {
                return figure;
            }
        }
        throw new AssertionError("no figure has the name " + json);
    }

    /** Numbers in the table against the JSON file, looked up by names only. */
    @Test
    void numbersAreThoseOfTheJson() throws Exception {
        Path file = scratch.resolve("figures.json");
        ResultJson.write(file, FIGURES);
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        NodeList cells = parsed(HTML).getElementsByTagName("td");
        int figures = 0;
        int ratios = 0;
        for (int i = 0; i < cells.getLength(); i++) {
            Element cell = (Element) cells.item(i);
            boolean ratio = cell.hasAttribute("data-ratio");
            if (!ratio && !cell.hasAttribute("data-figure")) {
                continue;
            }
            JsonNode contender = named(
                    named(json.get("jobs"), "job", cell.getAttribute("data-job"))
                            .get("contenders"),
                    "contender",
                    cell.getAttribute("data-contender"));
            String name = cell.getAttribute(ratio ? "data-ratio" : "data-figure");
            JsonNode spread = ratio
                    ? contender
                            .get("ratios")
                            .get(cell.getAttribute("data-baseline"))
                            .get(name)
                    : contender.get("figures").get(name);
            assertThat(cell.getAttribute("data-value"))
                    .isEqualTo(spread.get("median").asText());
            assertThat(cell.getAttribute("data-min"))
                    .isEqualTo(spread.get("min").asText());
            assertThat(cell.getAttribute("data-max"))
                    .isEqualTo(spread.get("max").asText());
            double median = spread.get("median").asDouble();
            String shown =
                    ratio ? RatioTables.show(median) : figure(name).unit().show(median);
            assertThat(cell.getTextContent()).startsWith(shown);
            figures += ratio ? 0 : 1;
            ratios += ratio ? 1 : 0;
        }
        assertThat(figures).isEqualTo(count(json)).isGreaterThan(500);
        assertThat(ratios).isGreaterThan(100);
    }

    private static JsonNode named(JsonNode list, String key, String name) {
        for (JsonNode node : list) {
            if (node.get(key).asText().equals(name)) {
                return node;
            }
        }
        throw new AssertionError("the JSON has no " + key + " " + name);
    }

    private static int count(JsonNode json) {
        int count = 0;
        for (JsonNode job : json.get("jobs")) {
            for (JsonNode contender : job.get("contenders")) {
                count += contender.get("figures").size();
            }
        }
        return count;
    }

    /** Nobody knows how far another run would be off. */
    @Test
    void aSingleRepetitionIsNeitherBetterNorWorse() {
        Comparison once = new Comparison(
                Comparison.FORMAT,
                COMPARISON.startedAt(),
                null,
                "complete",
                COMPARISON.command(),
                COMPARISON.machine(),
                COMPARISON.versions(),
                COMPARISON.contenders(),
                COMPARISON.jobs(),
                null,
                COMPARISON.cells().stream()
                        .filter(cell -> cell.spec().repetition() <= 1)
                        .toList(),
                List.of());
        assertThat(HTML).contains("class=\"better\"", "class=\"worse\"");
        assertThat(HtmlReport.of(once, Figures.of(once)))
                .contains("1 repetition")
                .doesNotContain("class=\"better\"", "class=\"worse\"");
    }

    @Test
    void nothingIsFetchedAndNothingRuns() {
        assertThat(HTML)
                .doesNotContain("<script", "<link", "<img", "<iframe", "@import", "url(", "src=", "javascript:");
        assertThat(Pattern.compile("href=\"(?!#)").matcher(HTML).find()).isFalse();
    }

    @Test
    void linksLeadToPlacesInTheReport() throws Exception {
        Document document = parsed(HTML);
        NodeList links = document.getElementsByTagName("a");
        assertThat(links.getLength()).isGreaterThan(10);
        for (int i = 0; i < links.getLength(); i++) {
            String place = ((Element) links.item(i)).getAttribute("href").substring(1);
            assertThat(HTML).contains("id=\"" + place + "\"");
        }
    }

    /** Two of the three jobs are of one family here. */
    @Test
    void figuresAreDrawnOverTheSizeOfTheState() throws Exception {
        NodeList pictures = parsed(HTML).getElementsByTagName("svg");
        List<String> titles = new ArrayList<>();
        for (int i = 0; i < pictures.getLength(); i++) {
            titles.add(((Element) pictures.item(i)).getAttribute("aria-label"));
        }
        assertThat(titles)
                .contains("Events per second, median over the size of the state of last-seen")
                .contains("Resident index, largest over the size of the state of last-seen")
                .contains("Events per second over time while last-seen is filled");
        assertThat(titles.stream().filter(title -> title.contains("size of the state")))
                .hasSize(8);
        assertThat(HTML).contains("state as a multiple of the memory, logarithmic");
    }

    @Test
    void withoutSeveralSizesNothingIsDrawnOverThem() {
        Comparison one = new Comparison(
                Comparison.FORMAT,
                COMPARISON.startedAt(),
                null,
                "running",
                COMPARISON.command(),
                COMPARISON.machine(),
                COMPARISON.versions(),
                COMPARISON.contenders(),
                COMPARISON.jobs().subList(0, 2),
                null,
                COMPARISON.cells(),
                List.of());
        assertThat(HtmlReport.of(one, Figures.of(one))).doesNotContain("size of the state");
    }

    @Test
    void everythingThatWentWrongIsSaid() {
        assertThat(HTML)
                .contains("interval-join/hashmap/2 failed: ")
                .contains("java.lang.OutOfMemoryError: Java heap space &lt;in&gt; &quot;ListState&quot; &amp; others")
                .contains("interval-join on No state skipped: ")
                .contains("HashMap: Measured in 2 of at least 3 repetitions.")
                .contains("ForSt: Repetition 3 never reached full speed after the restore.")
                .contains("Outputs differ on sample-join")
                .contains("ForSt differs from the others in 1 stretch")
                .doesNotContain("Outputs differ on last-seen");
    }

    @Test
    void everyCellCanBeRepeated() {
        COMPARISON.cells().forEach(cell -> assertThat(HTML).contains("<code>" + cell.command() + "</code>"));
        assertThat(HTML).contains(COMPARISON.command());
    }

    @Test
    void theEndOfTheBurstIsMarkedOnTheRationedJobOnly() throws Exception {
        NodeList texts = parsed(HTML).getElementsByTagName("text");
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < texts.getLength(); i++) {
            if (texts.item(i).getTextContent().contains("burst used up")) {
                ends.add(texts.item(i).getTextContent());
            }
        }
        assertThat(ends).hasSize(8).anyMatch(end -> end.startsWith("RocksDB tuned: burst used up, "));
    }

    @Test
    void aComparisonWithoutAnyCellHasAReport() {
        Comparison empty = new Comparison(
                Comparison.FORMAT,
                COMPARISON.startedAt(),
                null,
                "running",
                COMPARISON.command(),
                COMPARISON.machine(),
                COMPARISON.versions(),
                COMPARISON.contenders(),
                COMPARISON.jobs(),
                null,
                List.of(),
                List.of());
        assertThat(HtmlReport.of(empty, Figures.of(empty)))
                .contains("still running")
                .contains("not comparable")
                .contains("Measured in 0 of at least 3 repetitions.");
    }

    @Test
    void withoutABaselineThereAreNoRatios() {
        assertThat(HtmlReport.of(COMPARISON, Figures.of(COMPARISON, List.of()))).contains("No ratios");
    }
}
