package io.drey.cli.inspect.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.junit.jupiter.api.Test;

class TypeTextTest {
    public record Point(int x, int y) {}

    public abstract static class Shape {
        public int corners;
    }

    public static final class Refusing {
        public int value;

        public Refusing() {
            throw new IllegalStateException("this test wants no instances");
        }
    }

    private static String text(Class<?> type) {
        TypeInformation<?> information = TypeInformation.of(type);
        assertThat(information).isInstanceOf(PojoTypeInfo.class);
        return TypeText.of(information.createSerializer(new SerializerConfigImpl()));
    }

    @Test
    void typesAreNamedWithoutAnInstance() {
        assertThat(text(Point.class)).isEqualTo("Point");
        assertThat(text(Shape.class)).isEqualTo("Shape");
        assertThat(text(Refusing.class)).isEqualTo("Refusing");
    }
}
