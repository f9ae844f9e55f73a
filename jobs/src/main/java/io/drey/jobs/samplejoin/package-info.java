/** The generated job sample-join: three streams of messages collected in one object per key until a timer emits it. */
package io.drey.jobs.samplejoin;
