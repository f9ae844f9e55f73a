package io.drey.cli.inspect.row;

import java.io.IOException;

/** Takes entries one by one. */
@FunctionalInterface
public interface RowVisitor {
    /** Takes the next entry; false if no more is wanted. */
    boolean visit(StateRow row) throws IOException;
}
