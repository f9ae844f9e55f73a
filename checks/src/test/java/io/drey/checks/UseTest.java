package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Exported types are few and listed, and a type is public for somebody. */
final class UseTest {
    /** Exports are the surface that a change breaks: at most a fifth of all types. */
    private static final int EXPORTS_PERCENT_MAX = 20;

    /** Modules that are an interface as a whole: what others use of them is listed, and not counted. */
    private static final Set<String> INTERFACES = Set.of("shuffle/protocol");

    private static final Set<String> CLOSED = Set.of("io.drey.files.fault", "io.drey.files.memory");
    private static final Set<String> TESTERS = Set.of("files", "testkit", "bench/jmh");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(io\\.drey\\.[a-z.]*\\.[A-Z]\\w*)");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^public ");

    /** Who uses each type: by imports, and by compiled code for types that are used without a name. */
    private static Map<String, Set<House.Type>> users() throws IOException {
        Map<String, House.Type> byName = new HashMap<>();
        Map<String, Set<House.Type>> users = new HashMap<>();
        for (House.Type type : House.mainTypes()) {
            byName.put(type.fullName(), type);
        }
        for (House.Type type : byName.values()) {
            Matcher used = IMPORT.matcher(Files.readString(type.file()));
            while (used.find()) {
                users.computeIfAbsent(used.group(1), any -> new HashSet<>()).add(type);
            }
        }
        for (JavaClass user : new ClassFileImporter().importPackages("io.drey")) {
            House.Type type = byName.get(topLevel(user));
            for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                if (type != null) {
                    String target = topLevel(dependency.getTargetClass().getBaseComponentType());
                    users.computeIfAbsent(target, any -> new HashSet<>()).add(type);
                }
            }
        }
        return users;
    }

    private static String topLevel(JavaClass type) {
        return type.getName().replaceAll("\\$.*", "");
    }

    /** Exports as the list has them: the module's path, a space and the type's name. */
    private static Set<String> exports(List<House.Type> types, Map<String, Set<House.Type>> users) {
        Set<String> exports = new TreeSet<>();
        for (House.Type type : types) {
            for (House.Type user : users.getOrDefault(type.fullName(), Set.of())) {
                if (!user.module().equals(type.module())) {
                    exports.add(type.module().path() + " " + type.name());
                }
            }
        }
        return exports;
    }

    private static List<String> differences(Set<String> found, Set<String> listed) {
        List<String> wrong = new ArrayList<>();
        found.stream()
                .filter(each -> !listed.contains(each))
                .forEach(each -> wrong.add(each + " is used by another module and not in exports.txt"));
        listed.stream()
                .filter(each -> !found.contains(each))
                .forEach(each -> wrong.add(each + " is in exports.txt, but no other module uses it"));
        return wrong;
    }

    @Test
    void exportsAreListed() throws IOException {
        Set<String> found = exports(House.mainTypes(), users());
        assertThat(differences(found, new TreeSet<>(House.listed("/exports.txt"))))
                .isEmpty();
    }

    @Test
    void exportsAreFew() throws IOException {
        List<House.Type> types = House.mainTypes().stream()
                .filter(type -> !INTERFACES.contains(type.module().path()))
                .toList();
        assertThat(exports(types, users()).size() * 100).isLessThanOrEqualTo(types.size() * EXPORTS_PERCENT_MAX);
    }

    /** A line of the list is a type's name and why something other than our code needs it public. */
    @Test
    void publicTypesHaveUsers() throws IOException {
        Map<String, Set<House.Type>> users = users();
        Set<String> needed = new TreeSet<>();
        Set<String> allowed = new TreeSet<>();
        House.listed("/public-for-others.txt").forEach(line -> allowed.add(line.replaceAll(" .*", "")));
        for (House.Type type : House.mainTypes()) {
            boolean used = users.getOrDefault(type.fullName(), Set.of()).stream()
                    .anyMatch(user -> !user.packageName().equals(type.packageName()));
            if (!used && PUBLIC.matcher(Files.readString(type.file())).find()) {
                needed.add(type.fullName());
            }
        }
        assertThat(needed).isEqualTo(allowed);
    }

    @Test
    void faultsAndMemoryAreForTests() throws IOException {
        List<String> wrong = new ArrayList<>();
        users().forEach((name, users) -> {
            for (House.Type user : users) {
                if (CLOSED.contains(name.replaceAll("\\.[A-Z].*", ""))
                        && !TESTERS.contains(user.module().path())) {
                    wrong.add(user.fullName() + " uses " + name);
                }
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void anExportWouldBeFound() {
        House.Type used = new House.Type(House.MODULES.get(0), "a", "Used", null);
        House.Type user = new House.Type(House.MODULES.get(1), "b", "User", null);
        Set<String> found = exports(List.of(used, user), Map.of("a.Used", Set.of(user)));
        assertThat(found).containsExactly("foundation Used");
        assertThat(differences(found, Set.of("foundation Gone"))).hasSize(2);
        assertThat(differences(found, found)).isEmpty();
    }
}
