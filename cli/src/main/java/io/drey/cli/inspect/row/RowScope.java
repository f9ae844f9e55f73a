package io.drey.cli.inspect.row;

/**
 * The entries that are wanted, as far as they can be told without being read.
 *
 * @param state null for all
 * @param keyGroup -1 for all
 */
public record RowScope(String state, int keyGroup) {
    public static final RowScope ALL = new RowScope(null, -1);

    public boolean wants(StateInfo info) {
        return state == null || state.equals(info.name());
    }

    public boolean wants(int group) {
        return keyGroup < 0 || keyGroup == group;
    }
}
