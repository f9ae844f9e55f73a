/** A plain client for requests: for workers that report, and for operators' commands. */
package io.drey.shuffle.protocol.request;
