package io.drey.flink.state.list;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Takes what a serializer copies and keeps nothing: the input is then behind one element. */
final class NoOutput implements DataOutputView {
    @Override
    public void skipBytesToWrite(int count) {}

    /** Skips the input; an end before that is an error, as it would be when copying. */
    @Override
    public void write(DataInputView source, int count) throws IOException {
        source.skipBytesToRead(count);
    }

    @Override
    public void write(int value) {}

    @Override
    public void write(byte[] bytes) {}

    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public void writeBoolean(boolean value) {}

    @Override
    public void writeByte(int value) {}

    @Override
    public void writeShort(int value) {}

    @Override
    public void writeChar(int value) {}

    @Override
    public void writeInt(int value) {}

    @Override
    public void writeLong(long value) {}

    @Override
    public void writeFloat(float value) {}

    @Override
    public void writeDouble(double value) {}

    @Override
    public void writeBytes(String value) {}

    @Override
    public void writeChars(String value) {}

    @Override
    public void writeUTF(String value) {}
}
