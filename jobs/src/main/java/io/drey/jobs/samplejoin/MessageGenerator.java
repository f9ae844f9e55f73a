package io.drey.jobs.samplejoin;

import io.drey.jobs.generate.Draw;
import io.drey.jobs.generate.EventGenerator;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.KeyDraw;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.generate.Payload;

/**
 * One request, then 14 messages for samples whose window is open, and so on: samples are numbered by their requests,
 * and the last {@code alive} of them are open. A window is therefore 15 milliseconds long for each.
 *
 * <p>At first, as many requests as samples are to be alive, of samples that look as if they had been requested in the
 * window before: the older, the more messages they have and the sooner they are due.
 */
final class MessageGenerator implements EventGenerator<Message> {
    private static final long serialVersionUID = 1L;

    /** Messages of a sample, on average, with its request: what comes in for each that goes out. */
    static final int MESSAGES = 15;

    private static final int CONTEXT_BYTES = 252;
    private static final int CONTENT_BYTES = 32;
    private static final int CONTENT = 1;

    private final long seed;
    private final long alive;
    private final KeyDraw age;

    MessageGenerator(LoadSettings settings) {
        seed = settings.seed();
        alive = settings.alive();
        age = new KeyDraw(seed, settings.keys(), alive);
    }

    /** From the request of a sample to its emission. */
    static long windowMs(LoadSettings settings) {
        return MESSAGES * settings.alive();
    }

    @Override
    public Message event(long position) {
        if (position < alive) {
            return request(position, position, messagesBefore(position) * CONTENT_BYTES);
        }
        long newest = alive + (position - alive) / MESSAGES;
        if ((position - alive) % MESSAGES == 0) {
            return request(newest, position, 0);
        }
        long sample = newest - age.rank(position);
        int kind = (position & 1) == 0 ? Message.FEATURE : Message.ACTION;
        return message(kind, sample, Payload.ofSize(Draw.bits(seed, position, CONTENT), CONTENT_BYTES));
    }

    private Message request(long sample, long position, int bytesMore) {
        byte[] context = Payload.ofSize(Draw.bits(seed, position, CONTENT), CONTEXT_BYTES + bytesMore);
        return message(Message.REQUEST, sample, context);
    }

    private Message message(int kind, long sample, byte[] content) {
        Message message = new Message();
        message.kind = kind;
        message.sample = Draw.mix(seed + sample);
        message.requestedMs = EventTime.of(alive + (sample - alive) * MESSAGES);
        message.content = content;
        return message;
    }

    /** How many messages, besides the request, a sample of the filling would have by the end of the filling. */
    private int messagesBefore(long sample) {
        return (int) ((MESSAGES - 1) * age.shareBelow(alive - sample));
    }
}
