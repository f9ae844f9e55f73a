package io.drey.jobs.lastseen;

/**
 * Something that happened to a device. A class with public fields because Flink serializes such classes field by field.
 */
public final class DeviceEvent {
    /** The type of the event that makes a device known. */
    public static final int REGISTRATION = -1;

    public long device;

    /** A number below {@link LastSeenLoad#TYPES}, or {@link #REGISTRATION}. */
    public int type;

    /** When it happened, by the device's clock; it may arrive much later. */
    public long happenedMs;

    public DeviceEvent() {}
}
