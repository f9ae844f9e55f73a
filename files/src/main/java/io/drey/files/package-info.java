/** Everything that touches a disk or an object store, behind interfaces with faulty and crashable twins. */
package io.drey.files;
