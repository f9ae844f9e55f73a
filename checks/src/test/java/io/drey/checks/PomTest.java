package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The poms say the same about modules as the house does. */
final class PomTest {
    private static Document pom(Path directory) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(directory.resolve("pom.xml").toFile());
    }

    private static List<House.Module> modules() {
        List<House.Module> modules = new ArrayList<>(House.MODULES);
        modules.addAll(House.IN_PROFILES);
        return modules;
    }

    private static String text(Element element, String child) {
        NodeList found = element.getElementsByTagName(child);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent().trim();
    }

    @Test
    void everyModuleHasItsPlaceInTheHouse() throws Exception {
        NodeList modules = pom(House.root()).getElementsByTagName("module");
        TreeSet<String> built = new TreeSet<>();
        for (int i = 0; i < modules.getLength(); i++) {
            built.add(modules.item(i).getTextContent().trim());
        }
        TreeSet<String> known = new TreeSet<>(House.WITHOUT_CODE);
        modules().forEach(module -> known.add(module.path()));
        assertThat(built).isEqualTo(known);
    }

    /**
     * At test scope everything is allowed, at run time what a user would put beside it; to compile only what is below.
     */
    @Test
    void modulesCompileAgainstWhatIsBelowThem() throws Exception {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (House.Module module : modules()) {
            NodeList dependencies = pom(House.root().resolve(module.path())).getElementsByTagName("dependency");
            for (int i = 0; i < dependencies.getLength(); i++) {
                Element dependency = (Element) dependencies.item(i);
                String scope = text(dependency, "scope");
                boolean compiles = scope.isEmpty() || scope.equals("compile") || scope.equals("provided");
                if (!compiles || !text(dependency, "groupId").equals("io.drey")) {
                    continue;
                }
                seen++;
                String artifact = text(dependency, "artifactId");
                if (module.mayUse().stream().noneMatch(name -> artifactOf(name).equals(artifact))) {
                    wrong.add(module.path() + " depends on " + artifact);
                }
            }
        }
        assertThat(seen).isPositive();
        assertThat(wrong).isEmpty();
    }

    private static String artifactOf(String packageName) {
        return packageName.substring("io.".length()).replace('.', '-');
    }
}
