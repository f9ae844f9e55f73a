package io.drey.store.run;

import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An entry on the heap: what models of runs consist of. Ordered as in runs, by key only. */
public record TestEntry(Address address, byte kind, byte[] value) {
    /** A key with its hash and body worked out. */
    public record Address(int table, int keyGroup, long hash, byte[] body, int rowLength)
            implements Comparable<Address> {
        public long prefix() {
            return EntryKey.prefix(table, keyGroup, hash);
        }

        public boolean isMapEntry() {
            return body[rowLength] == EntryKey.MAP_ENTRY;
        }

        public Address row() {
            byte[] own = Arrays.copyOf(body, rowLength + 1);
            own[rowLength] = EntryKey.ROW;
            return new Address(table, keyGroup, hash, own, rowLength);
        }

        @Override
        public int compareTo(Address other) {
            int order = Long.compareUnsigned(prefix(), other.prefix());
            order = order != 0 ? order : Long.compareUnsigned(hash, other.hash);
            return order != 0 ? order : Arrays.compareUnsigned(body, other.body);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Address address && compareTo(address) == 0;
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(body) * 31 + table;
        }

        @Override
        public String toString() {
            return table + "/" + keyGroup + "/" + Long.toHexString(hash) + "/"
                    + new String(body, StandardCharsets.ISO_8859_1);
        }
    }

    /** Fills a key for the address of an entry; {@code mapKey} null is the row's own. */
    public static EntryKey key(int table, int keyGroup, byte[] key, byte[] namespace, byte[] mapKey) {
        EntryKey entry = new EntryKey().row(table, keyGroup, key, key.length, namespace, namespace.length);
        return mapKey == null ? entry : entry.mapKey(mapKey, 0, mapKey.length);
    }

    public static Address address(EntryKey key) {
        return new Address(
                key.table(),
                key.keyGroup(),
                key.rowHash(),
                Arrays.copyOf(key.body(), key.bodyLength()),
                key.rowLength());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TestEntry entry
                && address.equals(entry.address)
                && kind == entry.kind
                && Arrays.equals(value, entry.value);
    }

    @Override
    public int hashCode() {
        return address.hashCode();
    }

    @Override
    public String toString() {
        String name = switch (kind) {
            case EntryKind.VALUE -> "value";
            case EntryKind.APPEND -> "append";
            case EntryKind.TOMBSTONE -> "tombstone";
            default -> "row tombstone";
        };
        return address + " " + name + " of " + value.length + " bytes " + Arrays.hashCode(value);
    }
}
