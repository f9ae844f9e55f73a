package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.manifest.ManifestCodec;
import io.drey.flink.state.options.DreyVersion;
import io.drey.flink.state.snapshot.CheckpointFormat;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointWriterTest {
    @TempDir
    Path directory;

    @Test
    void aCheckpointSaysWhichVersionWroteItAndOneThatDoesNotIsReadAsWell() throws Exception {
        try (BackendFixture fixture = new BackendFixture(directory)) {
            AbstractKeyedStateBackend<String> backend =
                    fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, List.of());
            InternalValueState<String, VoidNamespace, String> state = backend.createOrUpdateInternalState(
                    VoidNamespaceSerializer.INSTANCE, new ValueStateDescriptor<>("s", StringSerializer.INSTANCE));
            state.setCurrentNamespace(VoidNamespace.INSTANCE);
            backend.setCurrentKey("key");
            state.update("value");
            IncrementalRemoteKeyedStateHandle handle =
                    (IncrementalRemoteKeyedStateHandle) fixture.checkpoint(backend, 1);
            backend.close();
            backend.dispose();

            Manifest manifest;
            try (InputStream meta = handle.getMetaDataStateHandle().openInputStream()) {
                manifest = ManifestCodec.decode("meta", meta.readAllBytes());
            }
            assertThat(CheckpointFormat.writer(manifest)).isEqualTo(DreyVersion.text());

            TreeMap<Integer, byte[]> sections = new TreeMap<>();
            sections.put(Manifest.STORE_IMAGE, manifest.section(Manifest.STORE_IMAGE));
            sections.put(Manifest.STATE_META, manifest.section(Manifest.STATE_META));
            Manifest early = new Manifest(manifest.backendId(), 1, 0, 9, manifest.files(), sections);
            assertThat(CheckpointFormat.writer(early)).isNull();
        }
    }
}
