package io.drey.flink.state.restore;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.manifest.ManifestCodec;
import io.drey.checkpoint.manifest.ManifestFile;
import io.drey.flink.state.pack.SectionHandle;
import io.drey.flink.state.task.StorageFaults;
import io.drey.store.StoreImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.util.IOUtils;

/**
 * A checkpoint of Drey that a backend is restored from, wholly or in part.
 *
 * @param localDirectory where its files lie already, or null if they are to be downloaded
 * @param handles the files' handles by name; only those that may be referred to again if they are local
 */
record ParentCheckpoint(
        Manifest manifest,
        StoreImage image,
        Path localDirectory,
        Map<String, StreamStateHandle> handles,
        List<HandleAndLocalPath> shared) {

    private static final int BUFFER_BYTES = 16 << 10;

    static ParentCheckpoint read(KeyedStateHandle handle, CloseableRegistry cancellation) throws IOException {
        if (handle instanceof IncrementalRemoteKeyedStateHandle remote) {
            Map<String, StreamStateHandle> handles = new HashMap<>();
            remote.getSharedState().forEach(file -> handles.put(file.getLocalPath(), file.getHandle()));
            remote.getPrivateState().forEach(file -> handles.put(file.getLocalPath(), file.getHandle()));
            return read(remote.getMetaDataStateHandle(), null, handles, remote.getSharedState(), cancellation);
        }
        if (handle instanceof IncrementalLocalKeyedStateHandle local) {
            return read(
                    local.getMetaDataStateHandle(),
                    local.getDirectoryStateHandle().getDirectory(),
                    Map.of(),
                    local.getSharedStateHandles(),
                    cancellation);
        }
        throw foreign("a " + handle.getClass().getSimpleName());
    }

    /** What it gives of a range of key groups, inclusive: of runs those that have some of these. */
    ParentCheckpoint cut(int keyGroupFrom, int keyGroupTo) {
        StoreImage part = new StoreImage(
                keyGroupFrom,
                keyGroupTo,
                image.tables(),
                touching(image.young(), keyGroupFrom, keyGroupTo),
                image.levels().stream()
                        .map(level -> touching(level, keyGroupFrom, keyGroupTo))
                        .toList(),
                image.logs());
        return new ParentCheckpoint(manifest, part, localDirectory, handles, shared);
    }

    private static List<StoreImage.Part> touching(List<StoreImage.Part> parts, int keyGroupFrom, int keyGroupTo) {
        return parts.stream()
                .filter(part -> part.keyGroupFrom() <= keyGroupTo && part.keyGroupTo() >= keyGroupFrom)
                .toList();
    }

    private static IOException foreign(String found) {
        return new IOException(
                "expected a checkpoint of Drey or a canonical savepoint, found " + found
                        + ": if another state backend wrote it, take a canonical savepoint with that backend and restore from it");
    }

    private static ParentCheckpoint read(
            StreamStateHandle meta,
            Path localDirectory,
            Map<String, StreamStateHandle> handles,
            List<HandleAndLocalPath> shared,
            CloseableRegistry cancellation)
            throws IOException {
        String source = describe(meta);
        byte[] bytes = readAll(meta, source, cancellation);
        if (looksLikeFlinks(bytes)) {
            throw foreign("Flink's serializer snapshots in place of a manifest in " + source);
        }
        Manifest manifest = ManifestCodec.decode(source, bytes);
        StoreImage image = StoreImage.decode(manifest.section(Manifest.STORE_IMAGE));
        return new ParentCheckpoint(manifest, image, localDirectory, SectionHandle.unpacked(manifest, handles), shared);
    }

    /** Names of files that are parts of objects. */
    Set<String> packed() {
        return manifest.files().stream()
                .filter(ManifestFile::isPacked)
                .map(ManifestFile::name)
                .collect(Collectors.toSet());
    }

    /** The checksums of the files, by name. */
    Map<String, Long> checksums() {
        return manifest.files().stream().collect(Collectors.toMap(ManifestFile::name, ManifestFile::checksum));
    }

    /** The meta streams of Flink's own incremental checkpoints begin with a small big-endian version. */
    private static boolean looksLikeFlinks(byte[] bytes) {
        return bytes.length >= Integer.BYTES && bytes[0] == 0 && bytes[1] == 0 && bytes[2] == 0;
    }

    private static byte[] readAll(StreamStateHandle meta, String source, CloseableRegistry cancellation)
            throws IOException {
        FSDataInputStream in = null;
        try {
            in = meta.openInputStream();
            cancellation.registerCloseable(in);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            int count;
            while ((count = in.read(buffer)) >= 0) {
                bytes.write(buffer, 0, count);
            }
            return bytes.toByteArray();
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "the manifest " + source + " could not be read: "
                            + StorageFaults.of(e).getMessage()
                            + "; restore from another checkpoint if it is lost",
                    e);
        } finally {
            if (in != null) {
                cancellation.unregisterCloseable(in);
                IOUtils.closeQuietly(in);
            }
        }
    }

    /** Where a handle's bytes are, for messages. */
    static String describe(StreamStateHandle handle) {
        return handle.maybeGetPath().map(Object::toString).orElseGet(handle::toString);
    }
}
