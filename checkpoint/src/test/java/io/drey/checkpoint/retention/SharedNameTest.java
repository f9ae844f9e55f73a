package io.drey.checkpoint.retention;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class SharedNameTest {
    private static final String NAME = "drey-17-42-0123456789abcdef";

    @Test
    void aNameSaysItsParts() {
        SharedName name = SharedName.parse(NAME);
        assertThat(name).isEqualTo(new SharedName(17, 42, "0123456789abcdef"));
        assertThat(name.text()).isEqualTo(NAME);
    }

    @Test
    void otherNamesAreForeign() {
        for (String other : new String[] {
            "",
            "drey-",
            "drey-17-42-0123456789abcde",
            "drey-17-42-0123456789abcdefa",
            "drey-17-42-0123456789abcdeF",
            "drey--17-42-0123456789abcdef",
            "drey-17-0123456789abcdef",
            "drey-9999999999999999999-42-0123456789abcdef",
            "Drey-17-42-0123456789abcdef",
            ".drey-17-42-0123456789abcdef",
            "f2d1c9a8-1111-2222-3333-444455556666"
        }) {
            assertThat(SharedName.parse(other)).as(other).isNull();
        }
    }

    @Test
    void noNameIsGivenTwice() {
        Set<String> given = new HashSet<>();
        for (int life = 0; life < 100; life++) {
            SharedNames names = new SharedNames(UUID.randomUUID());
            for (int i = 0; i < 10; i++) {
                String name = names.next(7);
                assertThat(given.add(name)).as(name).isTrue();
                assertThat(SharedName.parse(name).first()).isEqualTo(7);
            }
        }
    }

    @Test
    void namesAreFoundInBytesWhateverIsAroundThem() {
        String uuid = "f2d1c9a8-1111-2222-3333-444455556666";
        byte[] bytes = ("\0\u0008x/" + NAME + "0a" + "drey-17-4-0123456789abcdef" + "\u00ff/" + uuid + "ab")
                .getBytes(ISO_8859_1);
        assertThat(MentionedNames.in(bytes)).containsExactlyInAnyOrder(NAME, "drey-17-4-0123456789abcdef", uuid);
    }

    @Test
    void namesAreFoundAtBothEndsAndAmongHyphens() {
        String uuid = "f2d1c9a8-1111-2222-3333-444455556666";
        for (String text :
                new String[] {uuid + "--" + NAME, NAME + "-" + uuid, "-" + uuid + NAME, "---" + NAME + uuid}) {
            assertThat(MentionedNames.in(text.getBytes(ISO_8859_1))).as(text).containsExactlyInAnyOrder(NAME, uuid);
        }
        assertThat(MentionedNames.in("-drey-1-2-3-4444-55-".getBytes(ISO_8859_1)))
                .isEmpty();
    }
}
