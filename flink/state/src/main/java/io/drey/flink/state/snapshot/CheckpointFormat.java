package io.drey.flink.state.snapshot;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.manifest.ManifestCodec;
import io.drey.checkpoint.manifest.ManifestFile;
import io.drey.flink.state.options.DreyVersion;
import io.drey.store.StoreImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * The meta stream of a checkpoint: a {@link Manifest} with the store's image and, as Flink writes them, the serializer
 * snapshots of key and states.
 */
public final class CheckpointFormat {
    private CheckpointFormat() {}

    static byte[] encode(
            UUID backendId,
            int generation,
            long checkpointId,
            KeyGroupRange keyGroups,
            StoreImage image,
            ToLongFunction<String> checksums,
            ToLongFunction<String> offsets,
            TypeSerializer<?> keySerializer,
            List<StateMetaInfoSnapshot> infos)
            throws IOException {
        DataOutputSerializer meta = new DataOutputSerializer(1 << 10);
        // Files are compressed by the store, so the flag for key-group compression says no.
        new KeyedBackendSerializationProxy<>(keySerializer, infos, false).write(meta);
        List<ManifestFile> files = image.files().stream()
                .map(file -> new ManifestFile(
                        file.name(),
                        ManifestFile.RUN,
                        file.bytes(),
                        checksums.applyAsLong(file.name()),
                        offsets.applyAsLong(file.name())))
                .toList();
        Manifest manifest = new Manifest(
                backendId,
                checkpointId,
                keyGroups.getStartKeyGroup(),
                keyGroups.getEndKeyGroup(),
                files,
                new TreeMap<>(Map.of(
                        Manifest.STORE_IMAGE,
                        image.encode(),
                        Manifest.STATE_META,
                        meta.getCopyOfBuffer(),
                        Manifest.WRITER,
                        DreyVersion.text().getBytes(StandardCharsets.UTF_8),
                        Manifest.GENERATION,
                        Manifest.generation(generation))));
        return ManifestCodec.encode(manifest);
    }

    /** The version of Drey that wrote a manifest, or null if it does not say. */
    public static String writer(Manifest manifest) {
        return manifest.sections().contains(Manifest.WRITER)
                ? new String(manifest.section(Manifest.WRITER), StandardCharsets.UTF_8)
                : null;
    }

    /** The serializer snapshots of a manifest. */
    public static <K> KeyedBackendSerializationProxy<K> states(Manifest manifest, ClassLoader classLoader)
            throws IOException {
        KeyedBackendSerializationProxy<K> proxy = new KeyedBackendSerializationProxy<>(classLoader);
        proxy.read(new DataInputDeserializer(manifest.section(Manifest.STATE_META)));
        return proxy;
    }
}
