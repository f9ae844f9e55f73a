package io.drey.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who may use whom: between packages, between modules, and outside. */
final class DependencyTest {
    private static final JavaClasses ALL = new ClassFileImporter().importPackages("io.drey");
    private static final JavaClasses HOUSE =
            ALL.that(describe("of a module", type -> House.moduleOf(type.getName()) != null));

    private static final List<String> DISKS =
            List.of("java.nio.file.", "java.nio.channels.", "java.io.File", "java.io.RandomAccessFile", "java.net.");

    /** The JDK's closed-channel errors are what a caller of files gets; knowing them is not knowing disks. */
    private static final List<String> NO_DISKS = List.of("java.nio.channels.ClosedChannelException");

    private static ArchRule noCycles(String packages) {
        return slices().matching(packages).should().beFreeOfCycles();
    }

    @Test
    void seesEveryModule() {
        TreeSet<String> seen = HOUSE.stream()
                .map(type -> House.moduleOf(type.getName()).path())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        House.MODULES.stream().map(House.Module::path).toList());
    }

    @Test
    void packagesHaveNoCycles() {
        noCycles("io.drey.(**)").check(HOUSE);
    }

    @Test
    void aCycleWouldBeFound() {
        assertThatThrownBy(() -> noCycles("io.drey.checks.fixture.(**)").check(ALL))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Cycle detected");
    }

    @Test
    void modulesUseOnlyWhatIsBelowThem() {
        assertThat(forbidden(HOUSE)).isEmpty();
    }

    @Test
    void aForbiddenUseWouldBeFound() {
        House.Module files = House.moduleOf("io.drey.files.Directory");
        House.Module jobs = House.moduleOf("io.drey.jobs.Anything");
        assertThat(isForbidden(files, "io.drey.foundation.Memory")).isFalse();
        assertThat(isForbidden(files, "io.drey.store.Store")).isTrue();
        assertThat(isForbidden(files, "io.drey.testkit.Seeds")).isTrue();
        assertThat(isForbidden(files, "org.apache.flink.core.fs.Path")).isTrue();
        assertThat(isForbidden(files, "java.nio.channels.FileChannel")).isFalse();
        assertThat(isForbidden(jobs, "org.apache.flink.core.fs.Path")).isFalse();
        assertThat(isForbidden(jobs, "io.drey.foundation.Memory")).isTrue();
        House.Module store = House.moduleOf("io.drey.store.Store");
        assertThat(isForbidden(store, "java.nio.channels.FileChannel")).isTrue();
        assertThat(isForbidden(store, "java.nio.file.Path")).isTrue();
        assertThat(isForbidden(store, "io.drey.elsewhere.Thing")).isTrue();
        assertThat(isForbidden(store, "java.util.List")).isFalse();
    }

    private static List<String> forbidden(JavaClasses classes) {
        List<String> found = new ArrayList<>();
        for (JavaClass type : classes) {
            House.Module module = House.moduleOf(type.getName());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                if (isForbidden(
                        module,
                        dependency.getTargetClass().getBaseComponentType().getName())) {
                    found.add(dependency.getDescription());
                }
            }
        }
        return found;
    }

    private static boolean isForbidden(House.Module module, String target) {
        if (target.startsWith("io.drey.")) {
            House.Module other = House.moduleOf(target);
            boolean known = other != null;
            boolean own = known && other.equals(module);
            return !own && !(known && module.mayUse().contains(other.packageName()));
        }
        boolean disk = DISKS.stream().anyMatch(target::startsWith) && !NO_DISKS.contains(target);
        boolean flink = target.startsWith("org.apache.flink.");
        return (disk && !module.knowsDisks()) || (flink && !module.knowsFlink());
    }
}
