package io.drey.flink.state.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.remote.RemoteStream;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Clients of some storages throw what is no IOException, and only an IOException is tried again. */
class RemoteHandleTest {
    private final RuntimeException denied = new IllegalStateException("503, slow down");
    private RuntimeException thrown = denied;
    private boolean isOpen;
    private final RemoteHandle file =
            new RemoteHandle(new FileInfo("a", 10), new ByteStreamStateHandle("a", new byte[10]) {
                @Override
                public FSDataInputStream openInputStream() {
                    if (!isOpen) {
                        throw thrown;
                    }
                    return new Failing();
                }
            });

    private class Failing extends FSDataInputStream {
        @Override
        public void seek(long position) {
            throw thrown;
        }

        @Override
        public long getPos() {
            throw thrown;
        }

        @Override
        public int read() {
            throw thrown;
        }

        @Override
        public void close() {
            throw thrown;
        }
    }

    private void assertFails(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("503, slow down")
                .hasCause(denied);
    }

    @Test
    void whatAClientThrowsIsAFailureOfTheStorage() throws IOException {
        assertFails(file::open);
        assertFails(file::isSeekable);
        isOpen = true;
        RemoteStream stream = file.open();
        assertFails(() -> stream.seek(3));
        assertFails(() -> stream.read(new byte[3], 0, 3));
        assertFails(stream::close);
    }

    @Test
    void anEndThatSomebodyWantedStaysOne() {
        thrown = new CancellationException("the task has ended");
        assertThatThrownBy(file::open).isSameAs(thrown);
    }

    @Test
    void aStorageThatCannotSeekSaysSo() throws IOException {
        isOpen = true;
        thrown = new UnsupportedOperationException();
        RemoteHandle none = new RemoteHandle(file.file(), new ByteStreamStateHandle("a", new byte[10]) {
            @Override
            public FSDataInputStream openInputStream() {
                return new Failing() {
                    @Override
                    public void close() {}
                };
            }
        });
        assertThat(none.isSeekable()).isFalse();
    }
}
