package io.drey.cli.inspect.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void controlCharactersOfKeysDoNotReachTheTerminal() {
        assertThat(new TextTable("key", " bytes").row("a\u001B[2Jb\nc", "1").lines(""))
                .containsExactly("key       bytes", "a.[2Jb.c      1");
    }
}
