/** A disk that is rationed as a cloud volume, made from a loop device and the kernel's block-I/O controller. */
package io.drey.bench.disk;
