/** The remote shuffle service for operators: a worker as a process, and questions to running ones. */
package io.drey.cli.shuffle;
