package io.drey.jobs.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The oracle on a data set so small that its results can be written down by hand. */
class OracleTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void writeInput() throws IOException {
        write(
                "flights.csv.gz",
                "time_hour,sched_dep_time,dep_time,dep_delay,sched_arr_time,arr_time,arr_delay,carrier,flight,tailnum,"
                        + "origin,dest,air_time,distance",
                "2013-01-01T10:00:00Z,500,520,20,800,900,60,UA,1,N1,EWR,IAH,100,1400",
                "2013-01-02T10:00:00Z,500,500,0,800,800,0,UA,2,N1,EWR,IAH,100,1400",
                "2013-01-03T10:00:00Z,530,NA,NA,800,NA,NA,UA,3,NA,EWR,IAH,NA,1400");
        write(
                "weather.csv.gz",
                "origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib,time_hour",
                "EWR,2013,1,1,4,39.5,26,59,270,10,NA,0,1012,10,2013-01-01T09:00:00Z",
                "EWR,2013,1,1,6,40.5,26,59,270,11,NA,0,1012,9,2013-01-01T11:00:00Z",
                "EWR,2013,1,1,7,41.5,26,59,270,12,NA,0,1012,8,2013-01-01T12:00:00Z",
                "JFK,2013,1,1,5,42.5,26,59,270,13,NA,0,1012,7,2013-01-01T10:00:00Z",
                "EWR,2013,1,3,5,43.5,26,59,270,14,NA,0,1012,6,2013-01-03T10:00:00Z");
        write(
                "planes.csv.gz",
                "tailnum,year,type,manufacturer,model,engines,seats,speed,engine",
                "N1,NA,Fixed wing,BOEING,737,2,149,NA,Turbo-fan");
    }

    @Test
    void lastSeen() throws IOException {
        assertThat(lines("last-seen", 1))
                .containsExactlyInAnyOrder(
                        "N1,scheduled@EWR,2013-01-01T10:00:00Z,never",
                        "N1,scheduled@IAH,2013-01-01T10:00:00Z,never",
                        "N1,delayed@EWR,2013-01-01T10:15:00Z,never",
                        "N1,departed@EWR,2013-01-01T10:20:00Z,never",
                        "N1,delayed@IAH,2013-01-01T11:15:00Z,never",
                        "N1,arrived@IAH,2013-01-01T12:00:00Z,never",
                        "N1,scheduled@EWR,2013-01-02T10:00:00Z,2013-01-01T10:00:00Z",
                        "N1,scheduled@IAH,2013-01-02T10:00:00Z,2013-01-01T10:00:00Z",
                        "N1,departed@EWR,2013-01-02T10:00:00Z,2013-01-01T10:20:00Z",
                        "N1,arrived@IAH,2013-01-02T11:40:00Z,2013-01-01T12:00:00Z");
    }

    @Test
    void weatherJoin() throws IOException {
        assertThat(lines("weather-join", 1))
                .containsExactlyInAnyOrder(
                        "UA1-EWR-0,N1,IAH,2013-01-01T10:00:00Z,20,2013-01-01T09:00:00Z,39.5,10.0,0.0,10.0",
                        "UA1-EWR-0,N1,IAH,2013-01-01T10:00:00Z,20,2013-01-01T11:00:00Z,40.5,11.0,0.0,9.0",
                        "UA3-EWR-2,NA,IAH,2013-01-03T10:30:00Z,NA,2013-01-03T10:00:00Z,43.5,14.0,0.0,6.0");
    }

    @Test
    void flightSample() throws IOException {
        assertThat(lines("flight-sample", 1))
                .containsExactlyInAnyOrder(
                        "UA1-EWR-0,2013-01-01T10:00:00Z,N1,IAH,2013-01-01T10:15:00Z,2013-01-01T10:20:00Z,"
                                + "2013-01-01T12:00:00Z,NA,NA,BOEING,737,149,NA,NA,NA,5",
                        "UA2-EWR-1,2013-01-02T10:00:00Z,N1,IAH,NA,2013-01-02T10:00:00Z,2013-01-02T11:40:00Z,NA,NA,"
                                + "BOEING,737,149,NA,NA,NA,4",
                        "UA3-EWR-2,2013-01-03T10:30:00Z,NA,IAH,NA,NA,NA,2013-01-03T10:30:00Z,NA,NA,NA,NA,43.5,14.0,"
                                + "6.0,3");
    }

    @Test
    void aReplicaHasOtherKeysAndLaterTimes() throws IOException {
        List<String> lines = lines("weather-join", 3);

        assertThat(lines)
                .hasSize(9)
                .contains("UA1-EWR-0#2,N1,IAH,2013-01-01T10:00:02Z,20,2013-01-01T09:00:02Z,39.5,10.0,0.0,10.0");
    }

    @Test
    void theExpectationCountsSumsAndKeepsTheEarliest() throws IOException {
        Expectation expectation = Oracle.expect("last-seen", directory, 2);

        assertThat(expectation.count()).isEqualTo(20);
        assertThat(expectation.first())
                .containsExactly(
                        "N1,scheduled@EWR,2013-01-01T10:00:00Z,never",
                        "N1,scheduled@IAH,2013-01-01T10:00:00Z,never",
                        "N1#1,scheduled@EWR,2013-01-01T10:00:01Z,never",
                        "N1#1,scheduled@IAH,2013-01-01T10:00:01Z,never",
                        "N1,delayed@EWR,2013-01-01T10:15:00Z,never");
    }

    private List<String> lines(String job, int repeat) throws IOException {
        List<String> lines = new ArrayList<>();
        Oracle.lines(job, directory, repeat, lines::add);
        return lines;
    }

    private void write(String file, String... lines) throws IOException {
        try (Writer writer = new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(directory.resolve(file))), StandardCharsets.UTF_8)) {
            for (String line : lines) {
                writer.write(line + "\n");
            }
        }
    }
}
