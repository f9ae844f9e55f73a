package io.drey.jobs.samplejoin;

import io.drey.jobs.generate.Payload;
import io.drey.jobs.tally.Digest;
import java.util.Arrays;

/**
 * A sample as far as it is known: the object in state, about 700 bytes when it is complete. A class with public fields
 * because Flink serializes such classes field by field. Arrays are replaced and never written to, as copies may share
 * them.
 */
public final class Sample {
    private static final byte[] NOTHING = {};

    public long requestedMs;
    public int messages;
    public byte[] context = NOTHING;
    public byte[] features = NOTHING;
    public byte[] actions = NOTHING;

    public Sample() {}

    void collect(Message message) {
        messages++;
        switch (message.kind) {
            case Message.REQUEST -> {
                requestedMs = message.requestedMs;
                context = append(context, message.content);
            }
            case Message.FEATURE -> features = append(features, message.content);
            case Message.ACTION -> actions = append(actions, message.content);
            default -> throw new IllegalStateException("There is no stream " + message.kind + ".");
        }
    }

    private static byte[] append(byte[] content, byte[] more) {
        byte[] all = Arrays.copyOf(content, content.length + more.length);
        System.arraycopy(more, 0, all, content.length, more.length);
        return all;
    }

    long digest(long key) {
        long hash = Digest.number(Digest.number(Digest.START, key), requestedMs);
        hash = Digest.number(Digest.number(hash, (long) messages), Payload.digest(context));
        return Digest.end(Digest.number(Digest.number(hash, Payload.digest(features)), Payload.digest(actions)));
    }
}
