/** What talks to shuffle workers: writers and readers of partitions, leases of jobs, the choice of workers. */
package io.drey.shuffle.client;
