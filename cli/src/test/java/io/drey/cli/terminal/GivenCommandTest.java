package io.drey.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class GivenCommandTest {

    @Command(name = "bake")
    static final class Bake {
        @Option(names = "--quick")
        boolean quick;

        @Option(names = "--with")
        List<String> with;

        @Option(names = "--oven")
        String oven;

        @Parameters
        String what;
    }

    @Test
    void aCommandIsRepeatedAsItWasGiven() {
        CommandLine line = new CommandLine(new Bake());
        line.parseArgs("bread", "--quick", "--with", "salt", "--with", "black pepper", "--oven=hot");
        assertThat(GivenCommand.inProject(line.getCommandSpec(), List.of("--oven")))
                .isEqualTo("./drey bake bread --quick --with salt --with 'black pepper'");
    }

    @Test
    void aCommandOfAGroupIsRepeatedWithIt() {
        CommandLine bake = new CommandLine(new Bake());
        CommandLine drey = new CommandLine(CommandSpec.create().name("drey"));
        drey.addSubcommand(
                "kitchen", new CommandLine(CommandSpec.create().name("kitchen")).addSubcommand("bake", bake));
        drey.parseArgs("kitchen", "bake", "rye bread");
        assertThat(GivenCommand.inProject(bake.getCommandSpec(), List.of()))
                .isEqualTo("./drey kitchen bake 'rye bread'");
    }
}
