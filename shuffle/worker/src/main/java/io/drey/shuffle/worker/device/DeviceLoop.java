package io.drey.shuffle.worker.device;

import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import io.drey.shuffle.worker.file.PartFile;
import io.drey.shuffle.worker.file.RegionTable;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that touches the data files below a directory. It takes turns: a write of up to 4 MB for the next file
 * with bytes in memory, a read of up to 4 MB of the {@link Elevator}. Without work its {@link DeviceDriver} waits until
 * somebody submits some.
 */
public final class DeviceLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceLoop.class);

    /** Most bytes written for a file before the next one has its turn. */
    private static final int WRITE_BYTES_MAX = 4 << 20;

    private static final int OPEN_FILES_MAX = 256;
    private static final long TABLE_BYTES_MAX = 32L << 20;

    private final WorkerDisk disk;
    private final Elevator elevator;
    private final SlabPool pool;
    private final DeviceCounts counts = new DeviceCounts();
    private final AtomicReference<DeviceWork> arrivals = new AtomicReference<>();
    private final List<DeviceWork> arrived = new ArrayList<>();
    private final ArrayDeque<WriteSource> writers = new ArrayDeque<>();
    private final ByteBuffer[] views = new ByteBuffer[SlabStream.SLABS_MAX + 1];
    private final LinkedHashMap<PartFile, WorkerFile> open = new LinkedHashMap<>(16, 0.75f, true);
    private final LinkedHashMap<TableName, RegionTable> tables = new LinkedHashMap<>(16, 0.75f, true);
    private final Runnable wakeIfStarved = this::wakeIfStarved;
    private final String name;
    private final DeviceDriver driver;
    private long tableBytes;
    private volatile long turns;
    private volatile boolean atWork;
    private volatile boolean closing;
    private volatile boolean starved;

    private record TableName(PartFile file, int place) {}

    public DeviceLoop(String name, WorkerDisk disk, SlabPool pool, DeviceDriver driver) {
        this.name = name;
        this.driver = driver;
        this.disk = disk;
        this.pool = pool;
        this.elevator = new Elevator(this, pool);
        pool.whenFree(wakeIfStarved);
        driver.start(this);
    }

    private void wakeIfStarved() {
        if (starved) {
            starved = false;
            driver.wake();
        }
    }

    /** Any thread: the loop shall look at a writer. */
    public void submit(WriteSource source) {
        submitOne(source);
    }

    private void submitOne(DeviceWork work) {
        if (work.markQueued()) {
            push(work, work);
        }
    }

    /** Any thread: the loop shall look at all of these readers, and sees them together. */
    public void submitAll(List<? extends ReadSource> works) {
        DeviceWork newest = null;
        DeviceWork oldest = null;
        for (DeviceWork each : works) {
            if (each.markQueued()) {
                each.next = newest;
                newest = each;
                oldest = oldest == null ? each : oldest;
            }
        }
        if (newest != null) {
            push(newest, oldest);
        }
    }

    private void push(DeviceWork newest, DeviceWork oldest) {
        DeviceWork head;
        do {
            head = arrivals.get();
            oldest.next = head;
        } while (!arrivals.compareAndSet(head, newest));
        if (head == null) {
            driver.wake();
        }
    }

    /** Any thread: something to do once, in the loop's thread. It must not throw. */
    public void execute(Runnable task) {
        submitOne(new DeviceWork() {
            @Override
            void arrive(DeviceLoop loop) {
                task.run();
            }
        });
    }

    /** Any thread: a writer has done; its file is cut behind its last complete region. Then, in the loop's thread. */
    public void finish(WriteSource source, Runnable then) {
        execute(() -> {
            try {
                source.finish(this);
            } catch (IOException e) {
                counts.countFailure();
                LOG.warn("The end of {} could not be cut: {}. A restart will do it.", source.part(), e.toString());
            }
            then.run();
        });
    }

    public WorkerDisk disk() {
        return disk;
    }

    public DeviceCounts counts() {
        return counts;
    }

    Elevator elevator() {
        return elevator;
    }

    void addWriter(WriteSource source) {
        writers.add(source);
    }

    /** There was no memory for a read: to be woken when there is some. */
    void starve() {
        starved = true;
    }

    /** The driver: does one piece of work of each kind; whether there may be more, and the next turn comes at once. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public boolean turn() {
        atWork = true;
        takeArrivals();
        boolean wrote = write();
        boolean read = elevator.step();
        turns++;
        atWork = wrote || read;
        return wrote || read || arrivals.get() != null;
    }

    /** Any thread: whether it is in a turn, or has something to do in the next one. */
    public boolean isAtWork() {
        return atWork || arrivals.get() != null;
    }

    /** Any thread: grows while it gets on with its work. */
    public long steps() {
        return turns + disk.steps();
    }

    /** The driver: whether a turn that found no work was the last one. */
    public boolean isClosing() {
        return closing;
    }

    private void takeArrivals() {
        DeviceWork each = arrivals.get() == null ? null : arrivals.getAndSet(null);
        while (each != null) {
            arrived.add(each);
            DeviceWork next = each.next;
            each.next = null;
            each = next;
        }
        for (int i = arrived.size() - 1; i >= 0; i--) {
            DeviceWork work = arrived.get(i);
            work.unmarkQueued();
            try {
                work.arrive(this);
            } catch (RuntimeException | Error e) {
                LOG.error("A task of {} failed; the loop goes on.", name, e);
            }
        }
        arrived.clear();
    }

    /** One write for the file whose turn it is. */
    private boolean write() {
        WriteSource source = writers.poll();
        if (source == null) {
            return false;
        }
        source.doneWaiting();
        if (source.isFinished()) {
            return true;
        }
        try {
            SlabStream stream = source.stream();
            int count = stream.gather(views, WRITE_BYTES_MAX);
            long bytes = 0;
            for (int i = 0; i < count; i++) {
                bytes += views[i].remaining();
            }
            source.file(this).append(stream.flushed(), views, count);
            stream.written(bytes);
            counts.countWrite(bytes);
            source.flushed();
            source.arrive(this);
        } catch (IOException e) {
            giveUp(source, e);
        } catch (RuntimeException | Error e) {
            giveUp(source, new IOException(e.toString(), e));
        }
        return true;
    }

    private void giveUp(WriteSource source, IOException cause) {
        counts.countFailure();
        source.giveUp();
        source.failed(cause);
    }

    /** In the loop's thread: the file, opened now or before. */
    public WorkerFile openFile(PartFile part) throws IOException {
        WorkerFile file = open.get(part);
        if (file == null) {
            file = disk.open(part.path());
            open.put(part, file);
            if (open.size() > OPEN_FILES_MAX) {
                Map.Entry<PartFile, WorkerFile> oldest =
                        open.entrySet().iterator().next();
                open.remove(oldest.getKey());
                oldest.getValue().close();
            }
        }
        return file;
    }

    /** In the loop's thread: the table of a complete region, read now or before. */
    public RegionTable table(PartFile part, int place, int region) throws IOException {
        TableName name = new TableName(part, place);
        RegionTable table = tables.get(name);
        if (table == null) {
            table = RegionTable.read(part.toString(), openFile(part), region, part.offset(place), part.length(place));
            tables.put(name, table);
            tableBytes += table.bytes();
            while (tableBytes > TABLE_BYTES_MAX && tables.size() > 1) {
                forget(tables.keySet().iterator().next());
            }
        }
        return table;
    }

    private void forget(TableName name) {
        RegionTable table = tables.remove(name);
        tableBytes -= table == null ? 0 : table.bytes();
    }

    /** In the loop's thread: deletes a file; who reads it gets an error. */
    public void delete(PartFile part) throws IOException {
        for (int place = 0; place < part.regions(); place++) {
            forget(new TableName(part, place));
        }
        WorkerFile file = open.remove(part);
        try (file) {
            disk.delete(part.path());
        }
    }

    /** The driver, after the last turn. */
    public void closeFiles() {
        for (WorkerFile file : open.values()) {
            try {
                file.close();
            } catch (IOException e) {
                LOG.warn("A file of {} could not be closed: {}", name, e.toString());
            }
        }
    }

    /** Ends the loop when it has done all that it was told before; fails if it stands still and is left as it is. */
    @Override
    public void close() throws IOException {
        closing = true;
        driver.wake();
        if (!driver.awaitEnd()) {
            throw new IOException("expected " + name + " to end its last read or write, found that it hangs");
        }
        pool.forget(wakeIfStarved);
    }
}
