package io.drey.cli.inspect.file;

import io.drey.files.Directory;
import io.drey.files.FileNames;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.runtime.state.StreamStateHandle;

/** The files of a checkpoint of one backend, by their handles: they can be read, and nothing else. Thread safe. */
public final class HandleDirectory implements Directory {
    private final String description;
    private final Map<String, StreamStateHandle> handles;

    public HandleDirectory(String description, Map<String, StreamStateHandle> handles) {
        this.description = description;
        this.handles = new TreeMap<>(handles);
    }

    @Override
    public ReadableFile open(String name) throws IOException {
        StreamStateHandle handle = handles.get(name);
        if (handle == null) {
            throw FileNames.missing(description, name);
        }
        return new HandleFile(handle);
    }

    @Override
    public boolean exists(String name) {
        return handles.containsKey(name);
    }

    @Override
    public List<String> list() {
        return List.copyOf(handles.keySet());
    }

    @Override
    public String describe() {
        return description;
    }

    @Override
    public WritableFile create(String name) {
        throw readOnly();
    }

    @Override
    public void delete(String name) {
        throw readOnly();
    }

    @Override
    public long usableBytes() {
        throw readOnly();
    }

    private UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("expected only reads of " + description + ", which others own");
    }
}
