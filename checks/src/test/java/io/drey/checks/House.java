package io.drey.checks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The floors of the house as data, and where its files are. */
final class House {
    /**
     * One module.
     *
     * @param path its directory below the root
     * @param packageName the package that holds its door, and below which its rooms are
     * @param mayUse the packages of the modules that it may use
     * @param knowsFlink whether it may use Flink
     * @param knowsDisks whether it may use files and sockets of the JDK
     */
    record Module(String path, String packageName, Set<String> mayUse, boolean knowsFlink, boolean knowsDisks) {}

    private static final String FOUNDATION = "io.drey.foundation";
    private static final String FILES = "io.drey.files";
    private static final String STORE = "io.drey.store";
    private static final String CHECKPOINT = "io.drey.checkpoint";
    private static final String SHUFFLE_PROTOCOL = "io.drey.shuffle.protocol";
    private static final String SHUFFLE_REGISTRY = "io.drey.shuffle.registry";
    private static final String SHUFFLE_WORKER = "io.drey.shuffle.worker";
    private static final String SHUFFLE_CLIENT = "io.drey.shuffle.client";
    private static final String KEYED = "io.drey.keyed";
    private static final String STATE = "io.drey.flink.state";
    private static final String JOBS = "io.drey.jobs";
    private static final String BENCH = "io.drey.bench";

    /** All modules with main code, lowest floor first. Test code may also use {@code io.drey.testkit}. */
    static final List<Module> MODULES = List.of(
            new Module("foundation", FOUNDATION, Set.of(), false, false),
            new Module("files", FILES, Set.of(FOUNDATION), false, true),
            new Module("testkit", "io.drey.testkit", Set.of(FOUNDATION), false, true),
            new Module("store", STORE, Set.of(FOUNDATION, FILES), false, false),
            new Module("checkpoint", CHECKPOINT, Set.of(FOUNDATION, FILES), false, false),
            new Module("shuffle/protocol", SHUFFLE_PROTOCOL, Set.of(FOUNDATION), false, false),
            new Module("shuffle/registry", SHUFFLE_REGISTRY, Set.of(FOUNDATION, SHUFFLE_PROTOCOL), false, true),
            new Module(
                    "shuffle/worker",
                    SHUFFLE_WORKER,
                    Set.of(FOUNDATION, SHUFFLE_PROTOCOL, SHUFFLE_REGISTRY),
                    false,
                    true),
            new Module("shuffle/client", SHUFFLE_CLIENT, Set.of(FOUNDATION, SHUFFLE_PROTOCOL), false, true),
            new Module("keyed", KEYED, Set.of(FOUNDATION, STORE), false, false),
            new Module("flink/state", STATE, Set.of(FOUNDATION, FILES, STORE, CHECKPOINT, KEYED), true, true),
            new Module(
                    "flink/shuffle",
                    "io.drey.flink.shuffle",
                    Set.of(FOUNDATION, SHUFFLE_PROTOCOL, SHUFFLE_CLIENT),
                    true,
                    true),
            new Module("jobs", JOBS, Set.of(), true, true),
            new Module("bench", BENCH, Set.of(JOBS), true, true),
            new Module(
                    "cli",
                    "io.drey.cli",
                    Set.of(
                            FOUNDATION,
                            FILES,
                            STORE,
                            CHECKPOINT,
                            SHUFFLE_PROTOCOL,
                            SHUFFLE_WORKER,
                            KEYED,
                            STATE,
                            JOBS,
                            BENCH),
                    true,
                    true));

    /** Modules of a profile: their poms and sources keep the rules too, but the default build does not compile them. */
    static final List<Module> IN_PROFILES = List.of(new Module(
            "bench/jmh", "io.drey.bench.jmh", Set.of(FOUNDATION, FILES, STORE, KEYED, STATE, BENCH), true, true));

    /** Modules that hold no main code. */
    static final Set<String> WITHOUT_CODE = Set.of(
            "dist", "checks", "flink/conformance", "flink/shuffle-conformance", "flink/object-storage", "flink/oldest");

    private static final Set<String> SKIPPED = Set.of("target", ".git", ".drey", ".idea", ".vscode", ".settings");

    private static final Path ROOT = findRoot();

    private House() {}

    static Path root() {
        return ROOT;
    }

    private static Path findRoot() {
        Path path = Path.of("").toAbsolutePath();
        while (path != null && !Files.isDirectory(path.resolve(".mvn"))) {
            path = path.getParent();
        }
        if (path == null) {
            throw new IllegalStateException("expected to run inside the project, found no .mvn above "
                    + Path.of("").toAbsolutePath());
        }
        return path;
    }

    /** The module of a class, or null for a class of none. */
    static Module moduleOf(String className) {
        for (Module module : MODULES) {
            if (className.startsWith(module.packageName() + ".")) {
                return module;
            }
        }
        return null;
    }

    /** All files of the project whose name ends so, by path; nothing that a build made. */
    static List<Path> files(String... endings) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean skip = SKIPPED.contains(directory.getFileName().toString()) && !directory.equals(ROOT);
                return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                for (String ending : endings) {
                    if (file.getFileName().toString().endsWith(ending)) {
                        found.add(file);
                        break;
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        found.sort(null);
        return found;
    }

    /** Java files under a {@code src/main}. */
    static List<Path> mainSources() throws IOException {
        return files(".java").stream().filter(House::isMain).toList();
    }

    static boolean isMain(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/').contains("src/main/");
    }

    static String relative(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    /** A top-level type of main code. */
    record Type(Module module, String packageName, String name, Path file) {
        String fullName() {
            return packageName + "." + name;
        }
    }

    /** Top-level types of all modules, those of profiles too. */
    static List<Type> mainTypes() throws IOException {
        List<Module> modules = new ArrayList<>(MODULES);
        modules.addAll(IN_PROFILES);
        List<Type> types = new ArrayList<>();
        for (Path file : mainSources()) {
            String[] parts = relative(file).split("/src/main/java/");
            String name = file.getFileName().toString().replace(".java", "");
            if (parts.length == 2 && !name.equals("package-info")) {
                Module module = modules.stream()
                        .filter(each -> each.path().equals(parts[0]))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no module in House for " + parts[0]));
                String packageName =
                        parts[1].substring(0, parts[1].lastIndexOf('/')).replace('/', '.');
                types.add(new Type(module, packageName, name, file));
            }
        }
        return types;
    }

    /** Lines of a resource that are neither blank nor remarks. */
    static List<String> listed(String resource) throws IOException {
        try (InputStream in = House.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
