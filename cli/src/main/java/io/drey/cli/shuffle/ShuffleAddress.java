package io.drey.cli.shuffle;

import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.frame.ProtocolException;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.Membership.ListWorkers;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Membership.Workers;
import io.drey.shuffle.protocol.message.WorkerReport;
import io.drey.shuffle.protocol.request.RequestConnection;
import io.drey.shuffle.protocol.request.RequestConnection.Answer;
import io.drey.shuffle.worker.HostAndPort;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The worker or registry that a command talks to, and the way it asks. */
public final class ShuffleAddress {
    @Option(
            names = "--at",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:9470",
            description = "Where a worker or registry listens (default: ${DEFAULT-VALUE}).")
    private String at;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "The file with the secret of the cluster.")
    private Path secretFile;

    /** A sentence if something is wrong, else null. */
    public String wrong() {
        try {
            HostAndPort.parse(at);
            return null;
        } catch (IllegalArgumentException e) {
            return "--at: expected a host and a port like 127.0.0.1:9470, found '" + at + "'.";
        }
    }

    /** Asks what listens at the address. */
    public Answer ask(FrameType type, Body body) throws CommandException {
        HostAndPort address = HostAndPort.parse(at);
        return ask(address.host(), address.port(), null, type, body);
    }

    /** The same, and reads the answer. */
    public <T> T ask(FrameType type, Body body, Function<FieldReader, T> read) throws CommandException {
        try {
            return read.apply(ask(type, body).fields());
        } catch (ProtocolException e) {
            throw new CommandException("The answer of " + at + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Asks a worker where the registry heard it last, unless another one listens there by now. */
    public Answer ask(WorkerReport worker, FrameType type) throws CommandException {
        return ask(worker.host(), worker.port(), worker.id(), type, null);
    }

    private Answer ask(String host, int port, UUID expected, FrameType type, Body body) throws CommandException {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (RequestConnection connection =
                await(RequestConnection.connect(group, host, port, new Handshake(secret()), "drey"))) {
            UUID found = connection.welcome().worker();
            if (expected != null && !found.equals(expected)) {
                throw new CommandException(
                        String.format(
                                Locale.ROOT,
                                "Expected worker %s at %s:%d, found worker %s: give its id if that is the one you mean.",
                                expected,
                                host,
                                port,
                                found),
                        null);
            }
            return await(connection.request(type, body));
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private String secret() throws CommandException {
        try {
            return secretFile == null ? null : Handshake.secret(Files.readAllBytes(secretFile), secretFile);
        } catch (IOException e) {
            throw new CommandException(
                    "The secret " + secretFile + " cannot be read: " + DirectoryFailure.unread(e) + ".", e);
        }
    }

    private static <T> T await(CompletableFuture<T> future) throws CommandException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new CommandException(e.getCause().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("It was interrupted.", e);
        }
    }

    /** Workers that the registry there knows; all if no id is given. */
    public List<Member> members(List<UUID> ids) throws CommandException {
        return ask(FrameType.LIST, new ListWorkers(ids), Workers::read).members();
    }

    /** The worker that the registry there knows by this id. */
    public Member member(UUID id) throws CommandException {
        List<Member> found = members(List.of(id));
        if (found.isEmpty()) {
            throw new CommandException(unknown(id), null);
        }
        return found.get(0);
    }

    /** Who is asked about workers. */
    public String registry() {
        return "the registry at " + at;
    }

    /** What to say of a worker that the registry there did not hear of, or of none at all. */
    public String unknown(UUID id) {
        return "The registry at " + at + (id == null ? " knows no worker." : " does not know worker " + id + ".");
    }
}
