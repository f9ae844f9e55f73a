package io.drey.cli.inspect.snapshot;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.manifest.ManifestCodec;
import io.drey.checkpoint.manifest.ManifestFile;
import io.drey.cli.inspect.file.BufferedHandle.ByteCount;
import io.drey.cli.inspect.file.HandleDirectory;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateForm;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.row.StateRow;
import io.drey.cli.inspect.snapshot.PartFiles.PartFile;
import io.drey.cli.inspect.snapshot.PartFiles.StateSize;
import io.drey.files.Directory;
import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.flink.state.pack.SectionHandle;
import io.drey.foundation.CorruptFileException;
import io.drey.keyed.codec.EntryBody;
import io.drey.keyed.timer.TimerJournal;
import io.drey.store.StoreImage;
import io.drey.store.StoreImage.FileInfo;
import io.drey.store.StoreImage.Part;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.TableInfo;
import io.drey.store.entry.TableKind;
import io.drey.store.inspect.ImageView;
import io.drey.store.inspect.TableSize;
import io.drey.store.run.LogShare;
import io.drey.store.run.RunInfo;
import io.drey.store.value.ValueLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.StreamStateHandle;

/** A checkpoint or native savepoint of Drey of one subtask: a manifest and the files that it names. */
public final class DreyPart implements KeyedPart {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final String STATES = "kv:";
    private static final String TIMER_ROWS = "pq:";
    private static final String TIMER_JOURNALS = "pj:";
    private static final String TIMER_IMAGE = "pb:";
    private static final int IMAGE_KEY_BYTES = 4;
    private static final byte[] NOTHING = new byte[0];

    private final Manifest manifest;
    private final StoreImage image;
    private final Directory directory;
    private final List<StateInfo> states;
    private final String problem;

    private DreyPart(Manifest manifest, StoreImage image, Directory directory, List<StateInfo> states, String problem) {
        this.manifest = manifest;
        this.image = image;
        this.directory = directory;
        this.states = List.copyOf(states);
        this.problem = problem;
    }

    /** The owner is an operator and a subtask, as messages call them. */
    static DreyPart of(
            String owner, String source, byte[] manifest, Map<String, StreamStateHandle> handles, ClassLoader classes) {
        Manifest read = ManifestCodec.decode(source, manifest);
        Map<String, StreamStateHandle> files = SectionHandle.unpacked(read, handles);
        return of(source, manifest, new HandleDirectory("the checkpoint of " + owner, files), classes);
    }

    /**
     * Reads a manifest.
     *
     * @param source what messages call it
     * @param directory where its files are, or those that are there
     */
    public static DreyPart of(String source, byte[] manifestBytes, Directory directory, ClassLoader classes) {
        Manifest manifest = ManifestCodec.decode(source, manifestBytes);
        StoreImage image = StoreImage.decode(manifest.section(Manifest.STORE_IMAGE));
        List<StateInfo> states;
        String problem = null;
        try {
            KeyedBackendSerializationProxy<?> proxy = new KeyedBackendSerializationProxy<>(classes);
            proxy.read(new DataInputDeserializer(manifest.section(Manifest.STATE_META)));
            states = StateInfo.of(proxy);
        } catch (IOException | RuntimeException | LinkageError e) {
            states = unread(image);
            problem = MissingClass.sentence(e);
        }
        return new DreyPart(manifest, image, directory, states, problem);
    }

    private static List<StateInfo> unread(StoreImage image) {
        List<StateInfo> states = new ArrayList<>();
        for (TableInfo table : image.tables()) {
            String name = table.name()
                    .substring(Math.min(STATES.length(), table.name().length()));
            if (table.name().startsWith(STATES)) {
                StateForm form = table.kind() == TableKind.MAP
                        ? StateForm.MAP
                        : table.kind() == TableKind.LIST ? StateForm.LIST : StateForm.VALUE;
                states.add(StateInfo.unread(name, form));
            } else if (table.name().startsWith(TIMER_ROWS)) {
                states.add(StateInfo.unread(name, StateForm.TIMERS));
            }
        }
        return states;
    }

    public Manifest manifest() {
        return manifest;
    }

    @Override
    public String format() {
        boolean says = manifest.sections().contains(Manifest.WRITER);
        return "Drey" + (says ? " " + new String(manifest.section(Manifest.WRITER), StandardCharsets.UTF_8) : "");
    }

    @Override
    public int keyGroupFrom() {
        return manifest.keyGroupFrom();
    }

    @Override
    public int keyGroupTo() {
        return manifest.keyGroupTo();
    }

    @Override
    public long bytes() {
        return manifest.bytes();
    }

    @Override
    public List<StateInfo> states() {
        return states;
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public PartFiles files() {
        try (ImageView view = ImageView.openForSizes(directory, image)) {
            Set<String> young = new HashSet<>();
            image.young().forEach(part -> young.add(part.file().name()));
            List<PartFile> files = new ArrayList<>();
            Map<String, Long> pointed = new HashMap<>();
            for (Map.Entry<String, RunInfo> each : view.runs().entrySet()) {
                RunInfo run = each.getValue();
                String level = young.contains(each.getKey()) ? "young" : "last level";
                files.add(new PartFile(each.getKey(), level, run.bytes(), run.entries(), -1));
                for (LogShare share : run.logs()) {
                    pointed.merge(ValueLog.name(share.log()), share.bytes(), Long::sum);
                }
            }
            for (FileInfo log : image.logs()) {
                long live = Math.min(log.bytes(), pointed.getOrDefault(log.name(), 0L));
                files.add(new PartFile(log.name(), "value log", log.bytes(), -1, live));
            }
            return new PartFiles(files, sizes(view));
        }
    }

    private List<StateSize> sizes(ImageView view) {
        Map<String, StateSize> sizes = new HashMap<>();
        for (TableSize table : view.tables()) {
            String name = table.table().name();
            String state = name.startsWith(STATES) ? name.substring(STATES.length()) : timers(name);
            boolean timed = table.entries() > table.untimed();
            StateSize size = new StateSize(
                    state,
                    table.entries(),
                    table.bytes(),
                    timed && table.medianAccess() != Long.MIN_VALUE ? table.medianAccess() : Long.MIN_VALUE);
            sizes.merge(
                    state,
                    size,
                    (a, b) -> new StateSize(state, a.entries() + b.entries(), a.bytes() + b.bytes(), Long.MIN_VALUE));
        }
        return states.stream()
                .map(state -> sizes.getOrDefault(state.name(), new StateSize(state.name(), 0, 0, Long.MIN_VALUE)))
                .toList();
    }

    /** The three tables of a timer queue count as one. */
    private static String timers(String table) {
        return table.substring(Math.min(TIMER_ROWS.length(), table.length()));
    }

    @Override
    public boolean rows(RowScope scope, RowVisitor visitor) throws IOException {
        try (ImageView view = ImageView.open(directory, image)) {
            Map<String, TableInfo> tables = new HashMap<>();
            image.tables().forEach(table -> tables.put(table.name(), table));
            for (StateInfo state : states) {
                for (int group = keyGroupFrom(); group <= keyGroupTo(); group++) {
                    if (scope.wants(state) && scope.wants(group) && !rows(view, tables, state, group, visitor)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    private static boolean rows(
            ImageView view, Map<String, TableInfo> tables, StateInfo state, int group, RowVisitor visitor)
            throws IOException {
        if (state.form() != StateForm.TIMERS) {
            TableInfo table = tables.get(STATES + state.name());
            return table == null || entries(view, table, state, group, visitor);
        }
        TableInfo rows = tables.get(TIMER_ROWS + state.name());
        TableInfo journals = tables.get(TIMER_JOURNALS + state.name());
        TableInfo near = tables.get(TIMER_IMAGE + state.name());
        return (rows == null || timers(view, rows, state, group, visitor))
                && (journals == null || timers(view, journals, state, group, visitor))
                && (near == null || timers(view, near, state, group, visitor));
    }

    private static boolean entries(ImageView view, TableInfo table, StateInfo state, int group, RowVisitor visitor)
            throws IOException {
        EntryBody body = new EntryBody();
        try (EntryCursor cursor = view.scan(table.number(), group)) {
            while (cursor.next()) {
                body.read(cursor);
                StateRow row = new StateRow(
                        state,
                        group,
                        part(body.bytes(), body.keyOffset(), body.keyLength()),
                        part(body.bytes(), body.namespaceOffset(), body.namespaceLength()),
                        body.isMapEntry() ? part(body.bytes(), body.mapKeyOffset(), body.mapKeyLength()) : null,
                        canonical(table, value(cursor)));
                if (!visitor.visit(row)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The timers of one of the three tables: map keys, journals, or the journals of an image. */
    private static boolean timers(ImageView view, TableInfo table, StateInfo state, int group, RowVisitor visitor)
            throws IOException {
        EntryBody body = new EntryBody();
        boolean isImage = table.name().startsWith(TIMER_IMAGE);
        try (EntryCursor cursor = view.scan(table.number(), group)) {
            while (cursor.next()) {
                body.read(cursor);
                if (isImage && (!body.isMapEntry() || body.mapKeyLength() != IMAGE_KEY_BYTES)) {
                    continue;
                }
                Iterable<byte[]> timers = table.name().startsWith(TIMER_ROWS)
                        ? List.of(part(body.bytes(), body.mapKeyOffset(), body.mapKeyLength()))
                        : TimerJournal.elements(group, value(cursor));
                for (byte[] timer : timers) {
                    if (!visitor.visit(StateRow.timer(state, group, timer))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static byte[] part(byte[] bytes, int offset, int length) {
        return length == 0 ? NOTHING : Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** Values have the bytes of the canonical format, but for the last byte of a list, which is the next's comma. */
    private static byte[] canonical(TableInfo table, byte[] value) {
        return table.kind() == TableKind.LIST && value.length > 0 ? Arrays.copyOf(value, value.length - 1) : value;
    }

    private static byte[] value(EntryCursor cursor) {
        byte[] value = new byte[cursor.valueLength()];
        if (value.length > 0) {
            io.drey.foundation.Memory.wrap(cursor.valueAddress(), value.length).get(value);
        }
        return value;
    }

    /** Compares each file with its checksum in the manifest; where they differ, block by block to say where. */
    @Override
    public List<FileCheck> checks() {
        Map<String, Long> missing = new HashMap<>();
        image.files().forEach(file -> missing.put(file.name(), file.bytes()));
        List<FileCheck> checks = new ArrayList<>();
        for (ManifestFile file : manifest.files()) {
            Long bytes = missing.remove(file.name());
            if (bytes == null || bytes != file.bytes()) {
                throw new CorruptFileException(
                        file.name(), 0, "a file of the image with " + file.bytes() + " bytes", bytes + "");
            }
            checks.add(progress -> compare(file, progress));
        }
        if (!missing.isEmpty()) {
            throw new CorruptFileException("manifest", 0, "all files of the image", "none of " + missing.keySet());
        }
        return checks;
    }

    private void compare(ManifestFile file, ByteCount progress) throws IOException {
        long checksum = checksum(file, progress);
        if (checksum != file.checksum()) {
            verifyBlocks(file);
            if (file.checksum() != FileChecksum.NONE) {
                throw new CorruptFileException(
                        where(file), 0, "checksum " + Long.toHexString(file.checksum()), Long.toHexString(checksum));
            }
        }
    }

    private long checksum(ManifestFile file, ByteCount progress) throws IOException {
        FileChecksum checksum = new FileChecksum();
        try (ReadableFile in = directory.open(file.name())) {
            if (in.size() != file.bytes()) {
                throw new CorruptFileException(in.name(), in.size(), file.bytes() + " bytes", in.size() + "");
            }
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            for (long at = 0; at < in.size(); at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), in.size() - at));
                in.read(at, buffer);
                checksum.add(buffer.flip());
                progress.add(buffer.limit());
            }
        }
        return checksum.value();
    }

    private String where(ManifestFile file) throws IOException {
        try (ReadableFile in = directory.open(file.name())) {
            return in.name();
        }
    }

    /** Reads a file block by block, and throws where it is damaged. */
    private void verifyBlocks(ManifestFile file) throws IOException {
        boolean isLog = image.logs().stream().anyMatch(log -> log.name().equals(file.name()));
        if (isLog) {
            try (ReadableFile in = directory.open(file.name())) {
                StoreFile.verifyLog(in);
            }
            return;
        }
        List<Part> parts = image.parts().stream()
                .filter(part -> part.file().name().equals(file.name()))
                .toList();
        StoreImage alone = new StoreImage(
                image.keyGroupFrom(), image.keyGroupTo(), image.tables(), parts, List.of(), image.logs());
        try (ImageView view = ImageView.open(directory, alone)) {
            view.verify(file.name());
        }
    }
}
