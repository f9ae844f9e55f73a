package io.drey.jobs.data;

import java.util.List;

/** The files of a data set and the columns that their first line must name. */
enum DataFile {
    FLIGHTS(
            "flights.csv.gz",
            "time_hour,sched_dep_time,dep_time,dep_delay,sched_arr_time,arr_time,arr_delay,"
                    + "carrier,flight,tailnum,origin,dest,air_time,distance"),
    WEATHER(
            "weather.csv.gz",
            "origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib,time_hour"),
    PLANES("planes.csv.gz", "tailnum,year,type,manufacturer,model,engines,seats,speed,engine");

    private final String fileName;
    private final String header;

    DataFile(String fileName, String header) {
        this.fileName = fileName;
        this.header = header;
    }

    String fileName() {
        return fileName;
    }

    String header() {
        return header;
    }

    List<String> columns() {
        return List.of(header.split(","));
    }
}
