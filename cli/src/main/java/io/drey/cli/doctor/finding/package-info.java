/** What a doctor says. */
package io.drey.cli.doctor.finding;
