package io.drey.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A directory around another one that counts what it is asked for; cheap enough to stay on. */
public final class CountingDirectory implements Directory {
    private final Directory inner;
    private final IoCounters counters;

    public CountingDirectory(Directory inner, IoCounters counters) {
        this.inner = inner;
        this.counters = counters;
    }

    public IoCounters counters() {
        return counters;
    }

    private IOException failed(IOException cause) {
        counters.failures.increment();
        return cause;
    }

    @Override
    public WritableFile create(String name) throws IOException {
        try {
            WritableFile file = inner.create(name);
            counters.creates.increment();
            return new CountedWriter(file);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public ReadableFile open(String name) throws IOException {
        try {
            ReadableFile file = inner.open(name);
            counters.opens.increment();
            return new CountedReader(file);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        try {
            inner.delete(name);
            counters.deletes.increment();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public boolean exists(String name) throws IOException {
        return inner.exists(name);
    }

    @Override
    public List<String> list() throws IOException {
        return inner.list();
    }

    @Override
    public long usableBytes() throws IOException {
        return inner.usableBytes();
    }

    @Override
    public String describe() {
        return inner.describe();
    }

    private final class CountedReader extends DelegatingReader {
        CountedReader(ReadableFile file) {
            super(file);
        }

        @Override
        public void read(long position, ByteBuffer into) throws IOException {
            int bytes = into.remaining();
            try {
                file.read(position, into);
            } catch (IOException e) {
                throw failed(e);
            }
            counters.reads.increment();
            counters.readBytes.add(bytes);
        }
    }

    private final class CountedWriter implements WritableFile {
        private final WritableFile file;

        CountedWriter(WritableFile file) {
            this.file = file;
        }

        @Override
        public String name() {
            return file.name();
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            int count = bytes.remaining();
            try {
                file.write(bytes);
            } catch (IOException e) {
                throw failed(e);
            }
            counters.writes.increment();
            counters.writtenBytes.add(count);
        }

        @Override
        public long position() {
            return file.position();
        }

        @Override
        public void sync() throws IOException {
            try {
                file.sync();
            } catch (IOException e) {
                throw failed(e);
            }
            counters.syncs.increment();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
