package io.drey.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.zip.GZIPOutputStream;

/** A data set by formula: 60 aircraft that fly to and fro for some weeks, late, cancelled and diverted now and then. */
final class MadeUpFlights {
    private static final Instant START = Instant.parse("2013-01-01T00:00:00Z");
    private static final int AIRCRAFT = 60;

    private MadeUpFlights() {}

    static void write(Path directory, int flights) throws IOException {
        Files.createDirectories(directory);
        try (Writer out = open(directory.resolve("flights.csv.gz"))) {
            out.write("time_hour,sched_dep_time,dep_time,dep_delay,sched_arr_time,arr_time,arr_delay,carrier,flight,"
                    + "tailnum,origin,dest,air_time,distance\n");
            for (int i = 0; i < flights; i++) {
                out.write(flight(i));
            }
        }
        try (Writer out = open(directory.resolve("weather.csv.gz"))) {
            out.write("origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib,"
                    + "time_hour\n");
            for (int hour = 0; hour <= flights / 40; hour++) {
                out.write((hour % 2 == 0 ? "EWR" : "JFK") + ",2013,1,1,1," + hour % 50 + ".5,NA,59,270,10,NA,0,1012,10,"
                        + START.plus(hour, ChronoUnit.HOURS) + "\n");
            }
        }
        try (Writer out = open(directory.resolve("planes.csv.gz"))) {
            out.write("tailnum,year,type,manufacturer,model,engines,seats,speed,engine\n");
            for (int i = 0; i < AIRCRAFT; i += 2) {
                out.write("N" + i + ",1999,Fixed wing,BOEING,737,2,149,NA,Turbo-fan\n");
            }
        }
    }

    /** Forty flights an hour. */
    private static String flight(int i) {
        String hour = START.plus(i / 40, ChronoUnit.HOURS).toString();
        String delays = i % 31 == 0 ? "NA" : Integer.toString(i % 45 - 10);
        String arrival = i % 31 == 0 || i % 53 == 0 ? "NA" : Integer.toString(i % 40 - 10);
        String air = arrival.equals("NA") ? "NA" : Integer.toString(60 + i % 100);
        return hour + "," + (500 + i % 60) + "," + delays + "," + delays + ",800," + arrival + "," + arrival + ",UA,"
                + i % 900 + "," + (i % 97 == 0 ? "NA" : "N" + i % AIRCRAFT) + "," + (i % 3 == 0 ? "EWR" : "JFK") + ",D"
                + i % 7 + "," + air + ",1000\n";
    }

    private static Writer open(Path file) throws IOException {
        return new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8);
    }
}
