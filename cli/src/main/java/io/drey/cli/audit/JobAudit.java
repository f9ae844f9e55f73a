package io.drey.cli.audit;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.JobDirectory.RetainedCheckpoint;
import io.drey.checkpoint.retention.JobDirectory.StoredFile;
import io.drey.checkpoint.retention.Retention.Need;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The audit of one job's directory: what was found, and done.
 *
 * @param needs who needs each file
 * @param failures a sentence for each file that could not be deleted
 */
record JobAudit(JobDirectory directory, Map<StoredFile, Need> needs, Set<StoredFile> deleted, List<String> failures) {

    /** The oldest first. */
    List<RetainedCheckpoint> retained() {
        return directory.retained().stream()
                .sorted(Comparator.comparingLong(RetainedCheckpoint::id))
                .toList();
    }

    /** Names of the retained checkpoints here that list a file. */
    List<String> listedBy(StoredFile file) {
        return retained().stream()
                .filter(checkpoint -> checkpoint.names().contains(file.name()))
                .map(JobAudit::name)
                .toList();
    }

    static String name(RetainedCheckpoint checkpoint) {
        return checkpoint.id() < 0 ? "a kept copy" : "chk-" + checkpoint.id();
    }

    /** Files with a need, as long as they are there. */
    List<StoredFile> left(Need need) {
        return needs.entrySet().stream()
                .filter(each -> each.getValue() == need && !deleted.contains(each.getKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Files that lie in its directory or with those that checkpoints share. */
    List<StoredFile> files(RetainedCheckpoint checkpoint) {
        return needs.keySet().stream()
                .filter(file -> checkpoint.names().contains(file.name()))
                .toList();
    }

    static long bytes(List<StoredFile> files) {
        return files.stream()
                .filter(file -> !file.directory())
                .mapToLong(StoredFile::bytes)
                .sum();
    }
}
