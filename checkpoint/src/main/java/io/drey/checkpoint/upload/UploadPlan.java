package io.drey.checkpoint.upload;

import java.util.List;
import java.util.Map;

/**
 * The decision of a checkpoint about each of its files: refer to an earlier upload, or upload it.
 *
 * @param reused file and the handle of its earlier upload
 * @param uploads files to upload, in the order in which they were asked for
 */
public record UploadPlan<H>(Map<String, H> reused, List<String> uploads) {
    public UploadPlan {
        reused = Map.copyOf(reused);
        uploads = List.copyOf(uploads);
    }
}
