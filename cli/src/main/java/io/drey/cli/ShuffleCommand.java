package io.drey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.drey.cli.shuffle.ShuffleAddress;
import io.drey.cli.shuffle.WorkerTable;
import io.drey.cli.terminal.CommandException;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Membership.Exclude;
import io.drey.shuffle.protocol.message.Membership.Member;
import io.drey.shuffle.protocol.message.Operating.Inspect;
import io.drey.shuffle.protocol.message.Operating.Lines;
import java.io.PrintWriter;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code drey shuffle}: questions and orders to the workers of the remote shuffle service. */
@Command(
        name = "shuffle",
        description = "Asks and directs workers of the remote shuffle service.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {"", "Exit codes: 0 done, 3 an audit found something, 1 it failed, 2 the command was wrong."})
final class ShuffleCommand extends CommandGroup {
    private static final int EXIT_FOUND = 3;

    private static PrintWriter out(CommandSpec spec, ShuffleAddress address) {
        if (address.wrong() != null) {
            throw new ParameterException(spec.commandLine(), address.wrong());
        }
        return spec.commandLine().getOut();
    }

    private static void print(PrintWriter out, List<String> lines, boolean json) throws JsonProcessingException {
        if (json) {
            out.println(WorkerTable.json(lines));
        } else {
            lines.forEach(out::println);
        }
    }

    @Command(name = "status", description = "Lists the workers that a registry knows, and how they are.")
    Integer status(@Mixin ShuffleAddress address, @Option(names = "--json", description = "Print JSON.") boolean json)
            throws CommandException, JsonProcessingException {
        PrintWriter out = out(spec, address);
        List<Member> members = address.members(List.of());
        if (members.isEmpty() && !json) {
            out.println(address.unknown(null) + " Ask one that workers name in their option registry.");
        }
        out.print(json ? WorkerTable.json(members) + System.lineSeparator() : WorkerTable.text(members));
        out.flush();
        return 0;
    }

    @Command(
            name = "drain",
            description = "Tells a worker to finish the regions under way and to end. Its data stays for its restart.")
    Integer drain(
            @Mixin ShuffleAddress address,
            @Parameters(arity = "0..1", paramLabel = "WORKER", description = "Its id (default: the one at --at).")
                    UUID worker)
            throws CommandException {
        PrintWriter out = out(spec, address);
        if (worker == null) {
            address.ask(FrameType.DRAIN, null);
        } else {
            address.ask(address.member(worker).report(), FrameType.DRAIN);
        }
        out.println("It drains.");
        return 0;
    }

    @Command(name = "exclude", description = "Gives a worker no new partitions; what it holds is still read.")
    Integer exclude(
            @Mixin ShuffleAddress address,
            @Parameters(paramLabel = "WORKER", description = "Its id.") UUID worker,
            @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "Why, for others.")
                    String reason)
            throws CommandException {
        return tell(address, new Exclude(worker, true, reason), "Excluded by " + address.registry() + ".");
    }

    @Command(name = "include", description = "Takes an exclusion back.")
    Integer include(
            @Mixin ShuffleAddress address, @Parameters(paramLabel = "WORKER", description = "Its id.") UUID worker)
            throws CommandException {
        String done = "Included by " + address.registry() + ". One that another registry excludes stays so.";
        return tell(address, new Exclude(worker, false, ""), done);
    }

    private Integer tell(ShuffleAddress address, Exclude request, String done) throws CommandException {
        PrintWriter out = out(spec, address);
        address.ask(FrameType.EXCLUDE, request);
        out.println(done);
        // It is kept for a worker that is down; one that reports elsewhere never hears of it.
        if (address.members(List.of(request.worker())).isEmpty()) {
            String warning = " This counts once it reports there: is that one of its registries, and of the clients'?";
            spec.commandLine().getErr().println("drey: " + address.unknown(request.worker()) + warning);
        }
        return 0;
    }

    @Command(name = "inspect", description = "Lists the jobs of the worker at --at, or the partitions of one of them.")
    Integer inspect(
            @Mixin ShuffleAddress address,
            @Parameters(arity = "0..1", paramLabel = "JOB", description = "A job, as they are listed.") String job,
            @Option(names = "--json", description = "Print JSON.") boolean json)
            throws CommandException, JsonProcessingException {
        PrintWriter out = out(spec, address);
        Inspect request = new Inspect(job == null ? "" : job);
        List<String> lines =
                address.ask(FrameType.INSPECT, request, Lines::read).lines();
        if (lines.isEmpty() && !json) {
            out.println("The worker keeps nothing of " + (job == null ? "any job." : "job " + job + "."));
            return 0;
        }
        print(out, lines, json);
        return 0;
    }

    @Command(
            name = "audit",
            description =
                    "Compares the files of the worker at --at with what it knows: nothing is printed if all is well.")
    Integer audit(@Mixin ShuffleAddress address, @Option(names = "--json", description = "Print JSON.") boolean json)
            throws CommandException, JsonProcessingException {
        PrintWriter out = out(spec, address);
        List<String> lines = address.ask(FrameType.AUDIT, null, Lines::read).lines();
        print(out, lines, json);
        return lines.isEmpty() ? 0 : EXIT_FOUND;
    }
}
