package io.drey.cli.inspect.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializer;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.ArrayDataSerializer;
import org.apache.flink.table.runtime.typeutils.MapDataSerializer;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.DataType;
import org.junit.jupiter.api.Test;

/** What SQL keeps: rows in a binary form, which only their serializers can take apart. */
class RowDecoderTest {
    private static final RowDataSerializer NUMBER = rows(DataTypes.INT());
    private static final RowDataSerializer PAIR = rows(DataTypes.INT(), DataTypes.STRING());

    private static RowDataSerializer rows(DataType... types) {
        return new RowDataSerializer(java.util.Arrays.stream(types)
                .map(DataType::getLogicalType)
                .toArray(org.apache.flink.table.types.logical.LogicalType[]::new));
    }

    private static RowData pair(int number, String text) {
        return GenericRowData.of(number, StringData.fromString(text));
    }

    private static <T> byte[] bytes(TypeSerializer<T> serializer, T object) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(object, out);
        return out.getCopyOfBuffer();
    }

    private static <K, V> StateRow row(TypeSerializer<K> keys, K key, TypeSerializer<V> values, V value)
            throws IOException {
        StateInfo state = new StateInfo("s", StateForm.VALUE, keys, null, values);
        return new StateRow(state, 0, bytes(keys, key), new byte[0], null, bytes(values, value));
    }

    /** As a line of an export has it. */
    private static <V> String value(TypeSerializer<V> serializer, V value) throws IOException {
        StateRow row = row(IntSerializer.INSTANCE, 7, serializer, value);
        String line = RowLines.JSONL.line("o", 0, row, new RowDecoder().decode(row));
        return line.replaceFirst(".*\"key\":7,\"value\":(.*)}", "$1");
    }

    @Test
    void fieldsOfARowAreShownByTheirTypes() throws IOException {
        RowDataSerializer serializer = rows(
                DataTypes.INT(),
                DataTypes.STRING(),
                DataTypes.TIMESTAMP(3),
                DataTypes.TIMESTAMP_LTZ(9),
                DataTypes.DATE(),
                DataTypes.TIME(3),
                DataTypes.DECIMAL(10, 2),
                DataTypes.DECIMAL(30, 4),
                DataTypes.BYTES(),
                DataTypes.BOOLEAN(),
                DataTypes.INTERVAL(DataTypes.SECOND()),
                DataTypes.INTERVAL(DataTypes.MONTH()),
                DataTypes.STRING());
        GenericRowData row = GenericRowData.of(
                1,
                StringData.fromString("a \"text\" that is longer than eight bytes"),
                TimestampData.fromLocalDateTime(LocalDateTime.of(2026, 1, 1, 0, 0, 1)),
                TimestampData.fromInstant(Instant.parse("2026-01-01T00:00:00.000000001Z")),
                20_454,
                3_600_001,
                DecimalData.fromBigDecimal(new BigDecimal("12.50"), 10, 2),
                DecimalData.fromBigDecimal(new BigDecimal("12345678901234567890.1234"), 30, 4),
                new byte[] {1, -1},
                true,
                1500L,
                14,
                null);
        assertThat(value(serializer, row))
                .isEqualTo("[1,\"a \\\"text\\\" that is longer than eight bytes\",\"2026-01-01T00:00:01\","
                        + "\"2026-01-01T00:00:00.000000001Z\",\"2026-01-01\",\"01:00:00.001\",12.50,"
                        + "12345678901234567890.1234,\"0x01ff\",true,\"PT1.5S\",\"P14M\",null]");
    }

    @Test
    void rowsArraysAndMapsWithinARowAreTakenApart() throws IOException {
        DataType inner = DataTypes.ROW(DataTypes.DATE(), DataTypes.ARRAY(DataTypes.DECIMAL(5, 1)));
        RowDataSerializer serializer = rows(
                inner,
                DataTypes.MAP(DataTypes.STRING(), DataTypes.ARRAY(DataTypes.INT())),
                DataTypes.MULTISET(DataTypes.STRING()),
                DataTypes.ARRAY(inner));
        GenericRowData day = GenericRowData.of(0, new GenericArrayData(new Object[] {
            DecimalData.fromBigDecimal(new BigDecimal("1.5"), 5, 1), null
        }));
        GenericRowData row = GenericRowData.of(
                day,
                new GenericMapData(Map.of(StringData.fromString("k"), new GenericArrayData(new int[] {1, 2}))),
                new GenericMapData(Map.of(StringData.fromString("twice"), 2)),
                new GenericArrayData(new Object[] {day, null}));
        assertThat(value(serializer, row))
                .isEqualTo(
                        "[[\"1970-01-01\",[1.5,null]],{\"k\":[1,2]},{\"twice\":2},[[\"1970-01-01\",[1.5,null]],null]]");
        assertThat(value(
                        new ArrayDataSerializer(DataTypes.DATE().getLogicalType()),
                        new GenericArrayData(new Object[] {1})))
                .isEqualTo("[\"1970-01-02\"]");
        assertThat(value(
                        new MapDataSerializer(
                                DataTypes.STRING().getLogicalType(),
                                DataTypes.DATE().getLogicalType()),
                        new GenericMapData(Map.of(StringData.fromString("k"), 1))))
                .isEqualTo("{\"k\":\"1970-01-02\"}");
    }

    @Test
    void rowsWithinOtherTypesAreTakenApart() throws IOException {
        TtlSerializer<RowData> timed = new TtlSerializer<>(LongSerializer.INSTANCE, PAIR);
        assertThat(value(timed, new TtlValue<>(pair(1, "timed"), 5))).isEqualTo("[1,\"timed\"]");
        assertThat(value(new ListSerializer<>(PAIR), List.of(pair(1, "a"), pair(2, "b"))))
                .isEqualTo("[[1,\"a\"],[2,\"b\"]]");
        assertThat(value(new MapSerializer<>(NUMBER, PAIR), Map.of(GenericRowData.of(5), pair(1, "a"))))
                .isEqualTo("{\"[5]\":[1,\"a\"]}");
        @SuppressWarnings("unchecked")
        Class<Tuple2<RowData, Integer>> tuple = (Class<Tuple2<RowData, Integer>>) (Class<?>) Tuple2.class;
        assertThat(value(
                        new TupleSerializer<>(tuple, new TypeSerializer<?>[] {PAIR, IntSerializer.INSTANCE}),
                        Tuple2.of(pair(1, "a"), 3)))
                .isEqualTo("[[1,\"a\"],3]");
    }

    @Test
    void entriesOfAMapAndElementsOfAListAreTakenApart() throws IOException {
        StateInfo map = new StateInfo("m", StateForm.MAP, NUMBER, null, new MapSerializer<>(PAIR, PAIR));
        byte[] value = bytes(PAIR, pair(2, "b"));
        byte[] there = new byte[value.length + 1];
        System.arraycopy(value, 0, there, 1, value.length);
        RowDecoder decoder = new RowDecoder();
        assertThat(decoder.decode(new StateRow(
                        map, 0, bytes(NUMBER, GenericRowData.of(5)), new byte[0], bytes(PAIR, pair(1, "a")), there)))
                .isEqualTo(new RowDecoder.Decoded(5, null, List.of(1, "a"), List.of(2, "b")));
        StateInfo list = new StateInfo("l", StateForm.LIST, NUMBER, null, new ListSerializer<>(PAIR));
        assertThat(decoder.decode(new StateRow(list, 0, bytes(NUMBER, GenericRowData.of(5)), new byte[0], null, value))
                        .value())
                .isEqualTo(List.of(List.of(2, "b")));
    }

    @Test
    void aKeyOfSqlIsFoundByItsFields() throws IOException {
        assertThat(chosen(row(NUMBER, GenericRowData.of(5), PAIR, pair(1, "a")), "5"))
                .isTrue();
        assertThat(chosen(row(NUMBER, GenericRowData.of(5), PAIR, pair(1, "a")), "6"))
                .isFalse();
        for (String text : List.of("[1,\"a b\"]", " [ 1 , \"a b\" ]")) {
            assertThat(chosen(row(PAIR, pair(1, "a b"), NUMBER, GenericRowData.of(0)), text))
                    .as(text)
                    .isTrue();
        }
        TimerSerializer<RowData, Long> timers = new TimerSerializer<>(NUMBER, LongSerializer.INSTANCE);
        StateInfo queue = new StateInfo("t", StateForm.TIMERS, NUMBER, null, timers);
        StateRow timer =
                StateRow.timer(queue, 0, bytes(timers, new TimerHeapInternalTimer<>(9L, GenericRowData.of(5), 77L)));
        assertThat(chosen(timer, "5")).isTrue();
        assertThat(new RowDecoder().decode(timer).namespace()).isEqualTo(77L);
    }

    private static boolean chosen(StateRow row, String key) throws IOException {
        List<StateRow> chosen = new ArrayList<>();
        new RowFilter(key, null).passing((each, decoded) -> chosen.add(each)).visit(row);
        return !chosen.isEmpty();
    }

    @Test
    void aKeyWhoseOnlyFieldIsNullIsNotNothing() throws IOException {
        StateRow row = row(NUMBER, GenericRowData.of((Object) null), PAIR, pair(1, "a"));
        assertThat(RowLines.JSONL.line("o", 0, row, new RowDecoder().decode(row)))
                .contains("\"key\":[null]");
    }

    @Test
    void aRowThatIsDamagedIsShownAsBytes() throws IOException {
        byte[] bytes = {0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};
        StateInfo state = new StateInfo("s", StateForm.VALUE, NUMBER, null, PAIR);
        StateRow row = new StateRow(state, 0, bytes(NUMBER, GenericRowData.of(5)), new byte[0], null, bytes);
        assertThat(new RowDecoder().decode(row).value()).isEqualTo(RowDecoder.hex(bytes));
    }

    @Test
    void aRowOfWhichTheTypesAreNotKnownIsShownAsBytes() {
        RowData row = PAIR.toBinaryRow(pair(1, "a"));
        assertThat(new ValueTree().of(row, null)).asString().startsWith("0x").hasSize(2 + 2 * 24);
    }

    /** Bytes of another format: their first four are taken for a length. */
    @Test
    void bytesThatAskForMoreMemoryThanThereIsStayBytes() {
        StateInfo state = new StateInfo(
                "state", StateForm.VALUE, IntSerializer.INSTANCE, null, BytePrimitiveArraySerializer.INSTANCE);
        byte[] value = {0x7f, -1, -1, -1, 1, 2, 3};
        StateRow row = new StateRow(state, 0, new byte[] {0, 0, 0, 1}, new byte[0], null, value);
        assertThat(new RowDecoder().decode(row).value()).isEqualTo("0x7fffffff010203");
    }
}
