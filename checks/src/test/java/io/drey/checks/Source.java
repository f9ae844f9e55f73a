package io.drey.checks;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A Java file as the compiler parses it: its types and methods. */
record Source(String file, List<String> types, List<Method> methods) {
    /** A method or constructor with a body. */
    record Method(String name, long firstLine, long lastLine) {
        long lines() {
            return lastLine - firstLine + 1;
        }
    }

    static List<Source> parse(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<Source> sources = new ArrayList<>();
        if (files.isEmpty()) {
            return sources;
        }
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(problems, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, problems, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                sources.add(of(unit, positions));
            }
        }
        if (!problems.getDiagnostics().isEmpty()) {
            throw new IllegalArgumentException("cannot parse: " + problems.getDiagnostics());
        }
        return sources;
    }

    private static Source of(CompilationUnitTree unit, SourcePositions positions) {
        Path path = Path.of(unit.getSourceFile().toUri());
        Source source = new Source(path.toString(), new ArrayList<>(), new ArrayList<>());
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree type, Void ignored) {
                source.types.add(type.getSimpleName().toString());
                return super.visitClass(type, ignored);
            }

            @Override
            public Void visitMethod(MethodTree method, Void ignored) {
                if (method.getBody() != null) {
                    // From the name or modifiers on, not from the Javadoc, which is no part of the tree.
                    long first = positions.getStartPosition(unit, method);
                    long last = positions.getEndPosition(unit, method);
                    source.methods.add(new Method(
                            method.getName().toString(),
                            unit.getLineMap().getLineNumber(first),
                            unit.getLineMap().getLineNumber(last)));
                }
                return super.visitMethod(method, ignored);
            }
        }.scan(unit, null);
        return source;
    }
}
