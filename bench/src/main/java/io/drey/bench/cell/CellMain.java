package io.drey.bench.cell;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.ResultJson;
import io.drey.bench.result.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;

/**
 * The process of a cell: reads what to run from a file, tells its progress on standard output, and leaves its result in
 * a file, also if the cell failed. It ends without ceremony, as everything that it would tidy up goes away with its
 * directories.
 */
public final class CellMain {
    /** Beside the result: the log, and a directory that is deleted by the process that started this one. */
    static final String LOG = "cell.log";

    static final String TEMPORARY = "tmp";

    /** Names the file of the log to {@link #logging}. */
    static final String LOG_PROPERTY = "drey.cell.log";

    private static final int ENDED_BY_SIGNAL = 143;
    private static final int WRONG_USE = 2;
    private static final int NO_RESULT = 1;

    private CellMain() {}

    /**
     * @param arguments the file with the {@link CellSpec}, and the file to write the {@link CellResult} to; the log and
     *     temporary files go beside it
     */
    public static void main(String[] arguments) {
        if (arguments.length != 2) {
            System.err.println("Expected two arguments, the file of the cell and the file for its result.");
            end(WRONG_USE);
            return;
        }
        Path result = Path.of(arguments[1]).toAbsolutePath();
        // Before the first logger: Flink's own log would otherwise go where the command's configuration says.
        System.setProperty(LOG_PROPERTY, result.resolveSibling(LOG).toString());
        System.setProperty("log4j2.configurationFile", logging());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(ENDED_BY_SIGNAL), "cell-stop"));
        int status = NO_RESULT;
        try (CellProgress progress = new CellProgress(System.out, () -> end(ENDED_BY_SIGNAL))) {
            run(ResultJson.read(Path.of(arguments[0]), CellSpec.class), result, progress);
            status = 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // Also errors: Flink's threads would keep a process without this thread alive.
            System.err.println("The cell has no result: " + e);
            LoggerFactory.getLogger(CellMain.class).error("The cell has no result", e);
        }
        end(status);
    }

    /** Where the configuration of the log is. */
    static String logging() {
        return CellMain.class.getResource("log4j2.properties").toString();
    }

    private static void run(CellSpec spec, Path file, CellProgress progress) throws IOException, InterruptedException {
        Files.createDirectories(Path.of(spec.places().local()));
        Files.createDirectories(Path.of(spec.places().checkpoints()));
        Path temporary = file.resolveSibling(TEMPORARY);
        Files.createDirectories(temporary);
        CellRun run = new CellRun(spec, temporary, progress);
        CellResult result = run.run();
        WholeFile.replace(file, whole -> ResultJson.write(whole, result));
        run.close();
    }

    /** At once: Flink's own hooks would delete what is deleted anyway, and take seconds for it. */
    private static void end(int status) {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(status);
    }
}
