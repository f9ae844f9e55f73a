package io.drey.shuffle.protocol.block;

/** Takes the contents of DATA frames as a {@link RunReader} cuts them. */
public interface RunSink extends BlockSink {
    /** A run begins; its blocks follow. */
    void runBegins(int channel, int region, int firstBlock, int blocks);

    void runEnds();
}
