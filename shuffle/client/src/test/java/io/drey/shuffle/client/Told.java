package io.drey.shuffle.client;

import io.drey.shuffle.protocol.message.PartitionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Remembers what a job was told of its data. */
final class Told implements JobLease.Owner {
    final List<String> refusals = new ArrayList<>();
    private final Consumer<Collection<PartitionKey>> onLoss;

    private Told(Consumer<Collection<PartitionKey>> onLoss) {
        this.onLoss = onLoss;
    }

    static Told losses(Consumer<Collection<PartitionKey>> onLoss) {
        return new Told(onLoss);
    }

    @Override
    public void lost(Collection<PartitionKey> gone) {
        onLoss.accept(gone);
    }

    @Override
    public void refused(String why) {
        refusals.add(why);
    }
}
