package io.drey.shuffle.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.request.RequestConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A link to a registry that is not reached yet. */
final class RegistryLinkTest {
    @Test
    void whoBeatsDoesNotWaitUntilTheNameOfARegistryIsFound() {
        List<Runnable> dialing = new ArrayList<>();
        List<CompletableFuture<RequestConnection>> dialed = new ArrayList<>();
        RegistryLink link = new RegistryLink(
                "registry:1",
                dialing::add,
                () -> {
                    dialed.add(new CompletableFuture<>());
                    return dialed.get(dialed.size() - 1);
                },
                () -> null);
        link.beat();
        link.beat();
        assertThat(dialed).isEmpty();
        assertThat(dialing).hasSize(1);
        dialing.get(0).run();
        assertThat(dialed).hasSize(1);
        dialed.get(0).completeExceptionally(new IllegalStateException("no such host"));
        link.beat();
        assertThat(dialing).hasSize(2);
    }

    @Test
    void aDialThatThrowsIsTriedAgain() {
        List<Runnable> dialing = new ArrayList<>();
        RegistryLink link = new RegistryLink(
                "registry:1",
                dialing::add,
                () -> {
                    throw new IllegalStateException("no thread for it");
                },
                () -> null);
        link.beat();
        dialing.get(0).run();
        link.beat();
        assertThat(dialing).hasSize(2);
    }
}
