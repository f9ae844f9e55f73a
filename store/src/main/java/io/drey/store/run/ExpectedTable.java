package io.drey.store.run;

import io.drey.foundation.Scratch;
import java.util.List;

/**
 * Says that all of a table will be read soon, one place after another, so that what of it is far away comes at once and
 * before the rest: from all runs that have little of it.
 */
public final class ExpectedTable {
    /** Pages of an index, and bytes of blocks, of one run: of more each piece that is read is large by itself. */
    private static final int PAGES_MAX = 16;

    private static final long BYTES_MAX = 1 << 20;

    private ExpectedTable() {}

    /** Reads at most two pages of the index of each run, after all of them are on their way. */
    public static void expect(List<RunView> views, int table, ReadSession session) {
        List<RunView> parts = views.stream()
                .map(view -> view.clipTable(table))
                .filter(part -> !part.isEmpty() && indexPages(part) <= PAGES_MAX)
                .toList();
        parts.forEach(ExpectedTable::expectIndex);
        try (Scratch buffer =
                new Scratch(session.memory().arena(), session.memory().overdraft())) {
            parts.forEach(part -> expectBlocks(part, session, buffer));
        }
    }

    private static int indexPages(RunView part) {
        RunIndex top = part.run().index();
        return top.pageBefore(part.prefixTo()) - top.pageBefore(part.prefixFrom()) + 1;
    }

    private static void expectIndex(RunView part) {
        RunIndex top = part.run().index();
        int first = top.pageBefore(part.prefixFrom());
        long from = top.offset(first);
        part.run().file().expect(from, top.offset(first + indexPages(part)) - from);
    }

    private static void expectBlocks(RunView part, ReadSession session, Scratch buffer) {
        Run run = part.run();
        IndexPage page = new IndexPage();
        session.openIndexPage(run, run.index().pageBefore(part.prefixFrom()), page, buffer);
        boolean isBefore = Long.compareUnsigned(part.prefixFrom(), page.prefix(0)) <= 0;
        long from = page.offset(isBefore ? 0 : page.firstFrom(part.prefixFrom()));
        session.openIndexPage(run, run.index().pageBefore(part.prefixTo()), page, buffer);
        int last = Math.max(0, page.lowerBound(part.prefixTo()) - 1);
        long bytes = page.end(last) - from;
        if (bytes > BYTES_MAX) {
            return;
        }
        run.file().expect(from, bytes);
        FilterPages filter = run.filterPages();
        if (!filter.isEmpty()) {
            // It stands behind all blocks that it tells of, which may be those of other tables too.
            int filterPage = filter.ofBlock(page.offset(last));
            run.file().expect(filter.offset(filterPage), filter.length(filterPage));
        }
    }
}
