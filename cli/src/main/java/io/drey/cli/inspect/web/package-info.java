/** A snapshot as a web page, for this machine only. */
package io.drey.cli.inspect.web;
