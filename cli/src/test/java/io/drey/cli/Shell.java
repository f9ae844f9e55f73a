package io.drey.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs the command in this process and keeps what it printed last. */
final class Shell {
    private String out = "";
    private String err = "";

    int run(String... arguments) {
        StringWriter outText = new StringWriter();
        StringWriter errText = new StringWriter();
        CommandLine command = Drey.commandLine();
        command.setOut(new PrintWriter(outText, true)).setErr(new PrintWriter(errText, true));
        int exit = command.execute(arguments);
        out = outText.toString().replace("\r\n", "\n");
        err = errText.toString().replace("\r\n", "\n");
        return exit;
    }

    String out() {
        return out;
    }

    String err() {
        return err;
    }
}
