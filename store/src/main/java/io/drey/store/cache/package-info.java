/** Fixed frames that hold blocks and filter pages read from runs. */
package io.drey.store.cache;
