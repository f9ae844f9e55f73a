/** Files of a storage far away that are read before they have come: fetched by range, and all in the background. */
package io.drey.files.remote;
