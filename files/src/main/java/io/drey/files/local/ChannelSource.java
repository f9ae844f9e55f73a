package io.drey.files.local;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Opens the channel of one file, again after an interrupt has closed it. */
@FunctionalInterface
interface ChannelSource {
    FileChannel open() throws IOException;
}
