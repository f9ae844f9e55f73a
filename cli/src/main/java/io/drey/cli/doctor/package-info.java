/** One visit of the doctor: to this machine, or to a job. */
package io.drey.cli.doctor;
