package io.drey.files.local;

import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file of a {@link LocalDirectory} while it is written. */
final class LocalWritableFile implements WritableFile {
    private final String name;
    private final SteadyChannel channel;
    private final SteadyChannel.Action afterFirstSync;
    private long position;
    private boolean entered;

    LocalWritableFile(String name, String description, ChannelSource source, SteadyChannel.Action afterFirstSync)
            throws IOException {
        this.name = name;
        this.channel = new SteadyChannel(description, source);
        this.afterFirstSync = afterFirstSync;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        int start = bytes.position();
        long from = position;
        try {
            channel.run(open -> {
                while (bytes.hasRemaining()) {
                    open.write(bytes, from + (bytes.position() - start));
                }
            });
        } finally {
            position = from + (bytes.position() - start);
        }
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void sync() throws IOException {
        channel.run(open -> {
            open.force(false);
            if (!entered) {
                afterFirstSync.run(open);
                entered = true;
            }
        });
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
