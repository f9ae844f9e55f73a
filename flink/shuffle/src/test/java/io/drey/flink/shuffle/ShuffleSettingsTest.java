package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.junit.jupiter.api.Test;

/** Options as users write them. */
final class ShuffleSettingsTest {
    private static List<InetSocketAddress> registries(String text) {
        Configuration configuration = new Configuration();
        configuration.setString("drey.shuffle.registry", text);
        return ShuffleSettings.of(configuration).client().registries();
    }

    private static InetSocketAddress at(String host, int port) {
        return InetSocketAddress.createUnresolved(host, port);
    }

    @Test
    void registriesAreSeparatedByCommasOrAsFlinkWritesLists() {
        List<InetSocketAddress> both = List.of(at("node1", 9470), at("node2", 9471));
        assertThat(registries("node1:9470,node2:9471")).isEqualTo(both);
        assertThat(registries("node1:9470, node2:9471")).isEqualTo(both);
        assertThat(registries("node1:9470;node2:9471")).isEqualTo(both);
        assertThat(registries("[node1:9470, node2:9471]")).isEqualTo(both);
        assertThat(registries("node1:9470")).containsExactly(at("node1", 9470));
    }

    @Test
    void whatIsNoAddressIsASentence() {
        for (String wrong : List.of("node1", "node1:port", "node1:9470,,node2:9470", "node1:70000")) {
            assertThatThrownBy(() -> registries(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalConfigurationException.class)
                    .hasMessageContaining("drey.shuffle.registry: expected host:port,host:port,...");
        }
    }
}
