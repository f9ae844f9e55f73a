package io.drey.jobs.data;

/**
 * Master data of one aircraft; an integer that is missing is {@link Flight#NA}. A class with public fields because
 * Flink keeps such classes in state field by field; nobody changes one after it is filled.
 */
public final class Plane {
    public String aircraft;
    public int year;
    public String type;
    public String manufacturer;
    public String model;
    public int engines;
    public int seats;
    public String engine;

    public Plane() {}
}
