package io.drey.jobs.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read, and how input is refused that is not as it should be. */
class DataSetTest {
    private static final String FLIGHTS = "time_hour,sched_dep_time,dep_time,dep_delay,sched_arr_time,arr_time,"
            + "arr_delay,carrier,flight,tailnum,origin,dest,air_time,distance\n";
    private static final String FLIGHT = "2013-01-01T10:00:00Z,515,517,2,819,830,11,UA,1545,N14228,EWR,IAH,227,1400\n";
    private static final String CANCELLED = "2013-01-01T11:00:00Z,630,NA,NA,815,NA,NA,EV,4308,NA,EWR,RDU,NA,416\n";
    private static final String WEATHER = "origin,year,month,day,hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,"
            + "precip,pressure,visib,time_hour\n"
            + "EWR,2013,1,1,1,39.02,26.06,59.37,270,10.357019999999999,NA,0,1012,10,2013-01-01T06:00:00Z\n";
    private static final String PLANES = "tailnum,year,type,manufacturer,model,engines,seats,speed,engine\n"
            + "N14228,1999,Fixed wing multi engine,BOEING,737-824,2,149,NA,Turbo-fan\n";

    @TempDir
    private Path directory;

    @BeforeEach
    void writeRightFiles() throws IOException {
        write("flights.csv.gz", FLIGHTS + FLIGHT + CANCELLED);
        write("weather.csv.gz", WEATHER);
        write("planes.csv.gz", PLANES);
    }

    @Test
    void readsFlightsWeatherAndPlanes() throws IOException {
        DataSet data = load();

        Flight flight = data.flights().get(0);
        assertThat(flight.id()).isEqualTo("UA1545-EWR-0");
        assertThat(flight.scheduledS())
                .isEqualTo(Instant.parse("2013-01-01T10:15:00Z").getEpochSecond());
        assertThat(flight.departedS()).isEqualTo(flight.scheduledS() + 120);
        assertThat(flight.arrivedS()).isEqualTo(flight.departedS() + 227 * 60);
        Flight cancelled = data.flights().get(1);
        assertThat(cancelled.cancelled()).isTrue();
        assertThat(cancelled.arrived()).isFalse();
        assertThat(cancelled.aircraft()).isNull();
        assertThat(data.weather().get(0).gustMph).isNaN();
        assertThat(data.weather().get(0).temperatureF).isEqualTo(39.02);
        assertThat(data.plane("N14228").seats).isEqualTo(149);
        assertThat(data.plane("N1")).isNull();
        assertThat(data.plane(null)).isNull();
    }

    @Test
    void theBuiltInDataSetIsComplete() throws IOException {
        DataSet data = DataSet.load(DataLocation.builtIn());

        assertThat(data.flights()).hasSize(336_776);
        assertThat(data.weather()).hasSize(26_115);
        assertThat(DataSet.load(DataLocation.builtIn())).isSameAs(data);
    }

    @Test
    void aChangedFileIsReadAgain() throws IOException {
        DataSet before = load();
        write("flights.csv.gz", FLIGHTS + FLIGHT);

        assertThat(load().flights()).hasSize(1);
        assertThat(before.flights()).hasSize(2);
    }

    @Test
    void aMissingFileIsNamed() throws IOException {
        Files.delete(directory.resolve("weather.csv.gz"));

        assertRefused("weather.csv.gz", "does not exist");
    }

    @Test
    void aWrongHeaderIsShownWithTheRightOne() throws IOException {
        write("planes.csv.gz", "tail,year\nN1,1999\n");

        assertRefused("planes.csv.gz", "line 1", "expected the header tailnum,year", "found tail,year");
    }

    @Test
    void anEmptyFileHasNoHeader() throws IOException {
        write("planes.csv.gz", "");

        assertRefused("planes.csv.gz", "line 1", "found the end of the file");
    }

    @Test
    void tooFewAndTooManyFieldsAreCounted() throws IOException {
        write("flights.csv.gz", FLIGHTS + FLIGHT + "2013-01-01T10:00:00Z,515\n");
        assertRefused("flights.csv.gz", "line 3", "expected 14 fields", "found 2 in");

        write("flights.csv.gz", FLIGHTS + FLIGHT.replace("\n", ",1\n"));
        assertRefused("flights.csv.gz", "line 2", "expected 14 fields", "found more");
    }

    @Test
    void wrongValuesAreShownWithTheirColumn() throws IOException {
        refusesFlight("515", "5x5", "an integer or NA for sched_dep_time", "found 5x5");
        refusesFlight("515", "560", "a local time hhmm for sched_dep_time", "found 560");
        refusesFlight("515", "NA", "an integer for sched_dep_time", "found NA");
        refusesFlight("2013-01-01T10:00:00Z", "yesterday", "for time_hour", "found yesterday");
        refusesFlight(",2,", ",99999,", "dep_delay from -1440 to 4320", "found 99999");
        refusesFlight("EWR", "", "a value for origin", "found nothing");
        refusesFlight("UA", "\"UA\"", "fields without quotes", "\"UA\"");
        write("flights.csv.gz", FLIGHTS + FLIGHT);
        write("weather.csv.gz", WEATHER.replace("39.02", "NaN"));
        assertRefused("weather.csv.gz", "line 2", "a finite number or NA for temp", "found NaN");
    }

    private void refusesFlight(String right, String wrong, String expected, String found) throws IOException {
        write("flights.csv.gz", FLIGHTS + FLIGHT.replace(right, wrong));
        assertRefused("flights.csv.gz", "line 2", expected, found);
    }

    @Test
    void anAircraftTwiceIsRefused() throws IOException {
        write("planes.csv.gz", PLANES + PLANES.substring(PLANES.indexOf('\n') + 1));

        assertRefused("planes.csv.gz", "line 3", "expected each tailnum once", "N14228 again");
    }

    @Test
    void aFileCutShortAnywhereIsRefused() throws IOException {
        byte[] whole = gzip(FLIGHTS + FLIGHT.repeat(50));
        for (int length = 0; length < whole.length; length++) {
            Files.write(directory.resolve("flights.csv.gz"), Arrays.copyOf(whole, length));
            assertRefused("flights.csv.gz", "line ");
        }
    }

    @Test
    void whatIsNotGzipIsRefused() throws IOException {
        Files.writeString(directory.resolve("flights.csv.gz"), FLIGHTS + FLIGHT);

        assertRefused("flights.csv.gz", "line 1", "expected a gzip file");
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(PLANES.getBytes(StandardCharsets.UTF_8));
            gzip.write(0xFF);
        }
        Files.write(directory.resolve("planes.csv.gz"), bytes.toByteArray());

        assertRefused("planes.csv.gz", "expected text in UTF-8");
    }

    private void assertRefused(String... parts) {
        assertThatThrownBy(this::load)
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(parts)
                .hasMessageContaining(directory.toString());
    }

    private DataSet load() throws IOException {
        return DataSet.load(DataLocation.in(directory));
    }

    private void write(String file, String text) throws IOException {
        Files.write(directory.resolve(file), gzip(text));
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
