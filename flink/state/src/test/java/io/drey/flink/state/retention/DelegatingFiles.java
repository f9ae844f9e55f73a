package io.drey.flink.state.retention;

import io.drey.checkpoint.retention.JobFiles;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Files in Flink's file systems, of which a test does one thing otherwise. */
class DelegatingFiles implements JobFiles {
    private final FlinkJobFiles files = new FlinkJobFiles();

    @Override
    public List<Entry> list(String directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public byte[] read(String file, int bytesMax) throws IOException {
        return files.read(file, bytesMax);
    }

    @Override
    public Set<String> listed(byte[] metadata, String file) throws IOException {
        return files.listed(metadata, file);
    }

    @Override
    public void delete(String path) throws IOException {
        files.delete(path);
    }
}
