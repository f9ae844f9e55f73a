package io.drey.cli.inspect.report;

import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.snapshot.KeyedPart;
import io.drey.cli.inspect.snapshot.PartFiles;
import io.drey.cli.inspect.snapshot.PartFiles.PartFile;
import io.drey.cli.inspect.snapshot.PartFiles.StateSize;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.terminal.Sentence;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A snapshot as its meta data tells, without reading entries.
 *
 * @param kind checkpoint, or which savepoint
 * @param damages a sentence for each part of which a file is missing or damaged
 */
public record Overview(
        String path, String kind, long checkpointId, long bytes, List<OperatorView> operators, List<String> damages) {
    /**
     * An operator.
     *
     * @param problem why types or files are unknown, or null
     */
    public record OperatorView(
            String name,
            String uid,
            String id,
            int parallelism,
            int maxParallelism,
            String format,
            long keyedBytes,
            long operatorBytes,
            long inFlightBytes,
            List<StateView> states,
            List<SubtaskView> subtasks,
            String problem) {}

    /**
     * A state of an operator.
     *
     * @param entriesAtMost entries of all files, also hidden ones and those of other subtasks; -1 if not known
     * @param bytes about what it takes in runs, -1 if not known
     * @param medianAccess of its time to live, milliseconds, or null
     */
    public record StateView(
            String name,
            String form,
            String key,
            String namespace,
            String value,
            boolean timeToLive,
            long entriesAtMost,
            long bytes,
            Long medianAccess) {}

    /** The keyed state of a subtask. */
    public record SubtaskView(int subtask, int keyGroupFrom, int keyGroupTo, long bytes, List<PartFile> files) {}

    public static Overview of(Snapshot snapshot) {
        List<OperatorView> operators = new ArrayList<>();
        List<String> damages = new ArrayList<>();
        for (SnapshotOperator operator : snapshot.operators()) {
            operators.add(view(operator, damages));
        }
        return new Overview(
                snapshot.directory().toString(),
                snapshot.kind(),
                snapshot.checkpointId(),
                snapshot.bytes(),
                operators,
                damages);
    }

    private static OperatorView view(SnapshotOperator operator, List<String> damages) {
        Map<String, StateInfo> infos = new LinkedHashMap<>();
        Map<String, StateSize> sizes = new LinkedHashMap<>();
        List<SubtaskView> subtasks = new ArrayList<>();
        String problem = null;
        String format = null;
        int damagesBefore = damages.size();
        for (SubtaskPart each : operator.keyed()) {
            KeyedPart part = each.part();
            part.states().forEach(state -> infos.putIfAbsent(state.name(), state));
            PartFiles files = files(part, damages);
            if (files.states() != null) {
                files.states().forEach(size -> sizes.merge(size.state(), size, Overview::sum));
            }
            problem = problem == null ? part.problem() : problem;
            format = part.format();
            subtasks.add(new SubtaskView(
                    each.subtask(), part.keyGroupFrom(), part.keyGroupTo(), part.bytes(), files.files()));
        }
        boolean isDamaged = damages.size() > damagesBefore;
        return new OperatorView(
                operator.name(),
                operator.uid(),
                operator.id(),
                operator.parallelism(),
                operator.maxParallelism(),
                format,
                operator.keyedBytes(),
                operator.operatorBytes(),
                operator.inFlightBytes(),
                infos.values().stream()
                        .map(info -> view(info, isDamaged ? null : sizes.get(info.name())))
                        .toList(),
                subtasks,
                isDamaged ? damages.get(damagesBefore) : problem);
    }

    /** Without them the other parts, and those of other operators, are worth a look. */
    private static PartFiles files(KeyedPart part, List<String> damages) {
        try {
            return part.files();
        } catch (IOException | DreyException e) {
            damages.add(Sentence.of(e));
            return new PartFiles(List.of(), null);
        }
    }

    private static StateSize sum(StateSize a, StateSize b) {
        return new StateSize(
                a.state(),
                a.entries() + b.entries(),
                a.bytes() + b.bytes(),
                Math.max(a.medianAccess(), b.medianAccess()));
    }

    private static StateView view(StateInfo info, StateSize size) {
        boolean isTimed = size != null && info.hasTtl() && size.medianAccess() != Long.MIN_VALUE;
        return new StateView(
                info.name(),
                info.form().text(),
                info.keyType(),
                info.namespaceType(),
                info.valueType(),
                info.hasTtl(),
                size == null ? -1 : size.entries(),
                size == null ? -1 : size.bytes(),
                isTimed ? size.medianAccess() : null);
    }
}
