package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;
import java.util.ArrayList;
import java.util.List;

/** The messages of operators' commands. */
public interface Operating {
    int LINES_MAX = 1 << 16;
    int LINE_BYTES_MAX = 1 << 10;

    /** INSPECT: the partitions of a job, or, if that is empty, the jobs. */
    record Inspect(String job) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.text(1, job);
        }

        public static Inspect read(FieldReader in) {
            String job = "";
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                job = tag == 1 ? in.text(PartitionKey.NAME_CHARS_MAX) : job;
            }
            return new Inspect(job.isEmpty() ? job : PartitionKey.checkName("a job", job));
        }
    }

    /** LINES: text, a line each. */
    record Lines(List<String> lines) implements Body {
        @Override
        public void write(FieldWriter out) {
            lines.forEach(each -> out.text(1, each));
        }

        public static Lines read(FieldReader in) {
            List<String> lines = new ArrayList<>();
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                if (tag == 1) {
                    if (lines.size() == LINES_MAX) {
                        throw in.wrong("at most " + LINES_MAX + " lines", "more");
                    }
                    lines.add(in.text(LINE_BYTES_MAX));
                }
            }
            return new Lines(lines);
        }
    }
}
